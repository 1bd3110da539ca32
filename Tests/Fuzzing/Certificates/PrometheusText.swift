/// Reads the text format of Prometheus for nothing but to say whether it is right.
enum PrometheusText {
    private typealias Line = ArraySlice<UInt8>

    static func violation(in text: String) -> String? {
        guard text.hasSuffix("\n") else { return "no newline at the end" }
        var described: Set<Line> = []
        var series: Set<Line> = []
        for line in Array(text.utf8).dropLast().split(separator: 0x0A, omittingEmptySubsequences: false) {
            guard line.first != UInt8(ascii: "#") else {
                // A metric is described once, before its samples.
                let words = line.split(separator: 0x20, maxSplits: 3)
                guard words.count == 4, described.insert(words[1] + words[2]).inserted else { return shown(line) }
                continue
            }
            // The value is after the last space.
            guard series.insert(line[..<(line.lastIndex(of: 0x20) ?? line.endIndex)]).inserted else {
                return "twice: \(shown(line))"
            }
            if let violation = violation(in: line, described) { return "\(violation): \(shown(line))" }
        }
        return nil
    }

    private static func violation(in line: Line, _ described: Set<Line>) -> String? {
        let name = line.prefix { isName($0) }
        guard described.contains(Array("HELP".utf8) + name), described.contains(Array("TYPE".utf8) + name) else {
            return "not described"
        }
        var rest = line.dropFirst(name.count)
        if rest.first == UInt8(ascii: "{") {
            repeat {
                rest = rest.dropFirst()
                let label = rest.prefix { isName($0) }
                guard !label.isEmpty, rest.dropFirst(label.count).first == UInt8(ascii: "=") else { return "label" }
                guard let end = endOfValue(rest.dropFirst(label.count + 1)) else { return "value of a label" }
                rest = rest[end...]
            } while rest.first == UInt8(ascii: ",")
            guard rest.popFirst() == UInt8(ascii: "}") else { return "end of labels" }
        }
        guard rest.popFirst() == 0x20, isNumber(rest) else { return "value" }
        return nil
    }

    /// Digits after an optional sign, with or without some after a point.
    private static func isNumber(_ bytes: Line) -> Bool {
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { 0x30...0x39 ~= $0 } }
    }

    /// Where a quoted value ends.
    private static func endOfValue(_ bytes: Line) -> Int? {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        var place = bytes.startIndex + 1
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\""): return place + 1
            case UInt8(ascii: "\\"):
                guard place + 1 < bytes.endIndex, "\\\"n".utf8.contains(bytes[place + 1]) else { return nil }
                place += 2
            default: place += 1
            }
        }
        return nil
    }

    private static func isName(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") }

    private static func shown(_ bytes: Line) -> String { String(decoding: bytes, as: UTF8.self) }
}
