/// Which rules decide for which apps: rules of entries with the same apps are in one scope.
///
/// An earlier rule leaves nothing to a later one only if it decides for each of its apps (validation.md, 3.5).
struct AppScopes {
    /// The scope of each entry.
    let scopes: [Int]
    /// For each scope those whose rules decide for all of its apps, itself among them.
    let wider: [[Int]]
    /// For each scope the others whose rules decide for some of its apps, but not for all.
    let overlapping: [[Int]]
    /// Whether there are any of these.
    let hasOverlaps: Bool

    /// How many apps are looked up before scopes are no longer compared, in hostile files.
    private static let work = 5_000_000

    init(_ entries: [Set<Int>]) {
        var numbers: [Set<Int>: Int] = [:]
        var sets: [Set<Int>] = []
        var scopes: [Int] = []
        for apps in entries {
            let number = numbers[apps] ?? sets.count
            if number == sets.count {
                numbers[apps] = number
                sets.append(apps)
            }
            scopes.append(number)
        }
        var naming: [Int: [Int]] = [:]
        for (number, apps) in sets.enumerated() {
            for app in apps { naming[app, default: []].append(number) }
        }
        self.scopes = scopes
        var work = Self.work
        let wider: [[Int]] = sets.enumerated().map { number, apps in
            // Only those that name its rarest app can name all.
            let fewest = apps.compactMap { naming[$0] }.min { $0.count < $1.count } ?? []
            work -= apps.count * fewest.count
            return work > 0 ? fewest.filter { apps.isSubset(of: sets[$0]) } : [number]
        }
        self.wider = wider
        overlapping = sets.enumerated().map { number, apps in
            let named = apps.compactMap { naming[$0] }
            work -= named.reduce(0) { $0 + $1.count }
            return work > 0 ? Set(named.joined()).subtracting(wider[number]).sorted() : []
        }
        hasOverlaps = overlapping.contains { !$0.isEmpty }
    }
}
