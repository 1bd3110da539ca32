/// The order in which the programs of all groups and of both files ask for queries.
struct HiddenQueries {
    /// For each program where a condition is first asked for, and where it is without another one for the fragment.
    private let places: [[Int: (first: Int, firstAlone: Int)]]

    init(_ programs: [RuleProgram]) {
        places = programs.map { program in
            var places: [Int: (first: Int, firstAlone: Int)] = [:]
            for (index, step) in program.steps.enumerated() {
                guard let query = step.condition.query else { continue }
                var place = places[query] ?? (index, .max)
                if step.condition.fragment == nil { place.firstAlone = min(place.firstAlone, index) }
                places[query] = place
            }
            return places
        }
    }

    /// Whether a condition does not matter where another one is met, which every program asks for first.
    func isHidden(_ query: Int, behind other: Int) -> Bool {
        places.allSatisfy { places in
            guard let place = places[query] else { return true }
            return (places[other]?.firstAlone ?? .max) < place.first
        }
    }
}
