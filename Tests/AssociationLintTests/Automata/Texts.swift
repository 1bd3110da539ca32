/// All short texts over a few letters.
enum Texts {
    static func all(over letters: String, upTo length: Int) -> [[UInt8]] {
        var result: [[UInt8]] = [[]]
        var last: [[UInt8]] = [[]]
        for _ in 0..<length {
            last = last.flatMap { text in letters.utf8.map { text + [$0] } }
            result += last
        }
        return result
    }
}
