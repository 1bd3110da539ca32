/// Gives each topic of each team a number, so that comparing them is cheap; names are compared by their bytes.
struct TopicNumbers {
    private struct Name: Hashable {
        let team: [UInt8]?
        let topic: [UInt8]
    }

    private var numbers: [Name: Int] = [:]

    mutating func number(of topic: Topic, team: String?) -> Int {
        let name = Name(team: team.map { Array($0.utf8) }, topic: Array(topic.name.utf8))
        if let number = numbers[name] { return number }
        let number = numbers.count
        numbers[name] = number
        return number
    }
}
