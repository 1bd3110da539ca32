import FuzzingSupport

/// Changes the text of JSON files: bytes, tokens and strings.
struct JSONMutator {
    /// Files from which pieces are taken.
    let seeds: [[UInt8]]
    /// The pieces that are put in.
    let pieces: [String]

    func mutate(_ text: inout [UInt8], _ random: inout SplitMix64) {
        guard !text.isEmpty else {
            text = random.pick(seeds)
            return
        }
        let start = random.number(0...text.count - 1)
        let end = min(text.count, start + random.number(0...12))
        switch random.number(0...8) {
        case 0: text[start] = random.byte()
        case 1: text.removeSubrange(start..<end)
        case 2: text.insert(contentsOf: random.pick(pieces).utf8, at: start)
        case 3: text.replaceSubrange(start..<end, with: random.pick(pieces).utf8)
        case 4: text.insert(contentsOf: text[start..<end], at: random.number(0...text.count - 1))
        case 5: splice(start, &text, &random)
        case 6: moveToken(start, &text, &random)
        case 7: text[start] ^= 1 << random.number(below: 8)
        default: replaceString(start, &text, &random)
        }
    }

    /// Goes on with a part of another file.
    private func splice(_ start: Int, _ text: inout [UInt8], _ random: inout SplitMix64) {
        let other = random.pick(seeds)
        guard !other.isEmpty, text.count < 20_000 else { return }
        let from = random.number(0...other.count - 1)
        text.replaceSubrange(start..<min(text.count, start + 40), with: other[from..<min(other.count, from + 80)])
    }

    /// Moves what stands between two commas or brackets.
    private func moveToken(_ start: Int, _ text: inout [UInt8], _ random: inout SplitMix64) {
        let marks = Set(",{}[]:".utf8)
        guard let first = text[start...].firstIndex(where: marks.contains),
            let last = text[(first + 1)...].firstIndex(where: marks.contains)
        else { return }
        let token = Array(text[first..<last])
        text.removeSubrange(first..<last)
        text.insert(contentsOf: token, at: random.number(0...text.count))
    }

    /// Puts another text into a string.
    private func replaceString(_ start: Int, _ text: inout [UInt8], _ random: inout SplitMix64) {
        let quote = UInt8(ascii: "\"")
        guard let first = text[start...].firstIndex(of: quote),
            let last = text[(first + 1)...].firstIndex(of: quote)
        else { return }
        text.replaceSubrange((first + 1)..<last, with: random.pick(pieces).utf8)
    }
}
