import TestSupport

/// Prometheus' text format, version 0.0.4, read strictly.
struct PrometheusText {
    struct Family: Equatable {
        var help = ""
        var type = ""
        var samples: [Sample] = []
    }

    struct Sample: Equatable {
        var labels: [String: String] = [:]
        var value = 0.0
    }

    private(set) var families: [String: Family] = [:]
    /// In the order of the text.
    private(set) var names: [String] = []
    /// The series so far.
    private var series: Set<[String: String]> = []

    /// - Throws: if it is not well-formed, a family has no description or two, its samples are not together, or a series is
    ///   there twice.
    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw TestFailure("no line feed at the end") }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            do { try read(line) } catch { throw TestFailure("\(error): \(line)") }
        }
        for name in names where families[name]?.help.isEmpty != false || families[name]?.type.isEmpty != false {
            throw TestFailure("\(name) is not described")
        }
    }

    /// The value of a series; `nil` if it is not there.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families[name]?.samples.first { $0.labels == labels }?.value
    }

    private mutating func read(_ line: Substring) throws {
        guard line.hasPrefix("#") else { return try readSample(line) }
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count == 4, words[0] == "#" else { throw TestFailure("a comment") }
        let name = String(words[2])
        var family = families[name] ?? Family()
        switch words[1] {
        case "HELP" where family.help.isEmpty && names.last != name:
            family.help = String(words[3])
            names.append(name)
        case "TYPE" where family.type.isEmpty && family.samples.isEmpty && ["counter", "gauge"].contains(words[3]):
            family.type = String(words[3])
        default: throw TestFailure("a description out of place")
        }
        families[name] = family
    }

    private mutating func readSample(_ line: Substring) throws {
        var rest = line
        let name = String(Self.name(&rest))
        guard name == names.last, families[name] != nil else { throw TestFailure("a sample out of place") }
        var sample = Sample()
        if rest.first == "{" {
            repeat {
                rest.removeFirst()
                let label = String(Self.name(&rest))
                guard !label.isEmpty, rest.hasPrefix("=\"") else { throw TestFailure("a label") }
                rest.removeFirst(2)
                guard sample.labels.updateValue(try Self.value(&rest), forKey: label) == nil else {
                    throw TestFailure("a label twice")
                }
            } while rest.first == ","
            guard rest.popFirst() == "}" else { throw TestFailure("the end of the labels") }
        }
        guard rest.popFirst() == " ", let value = Double(rest) else { throw TestFailure("a value") }
        sample.value = value
        guard series.insert(sample.labels.merging(["": name]) { first, _ in first }).inserted else {
            throw TestFailure("a series twice")
        }
        families[name]?.samples.append(sample)
    }

    private static func name(_ text: inout Substring) -> Substring {
        let name = text.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        text = text[name.endIndex...]
        return name.first?.isNumber == true ? "" : name
    }

    /// A value up to its closing quote, which is taken, too.
    private static func value(_ text: inout Substring) throws -> String {
        var value = ""
        while let character = text.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                switch text.popFirst() {
                case "n": value += "\n"
                case let escaped? where escaped == "\\" || escaped == "\"": value.append(escaped)
                default: throw TestFailure("an escape")
                }
            default: value.append(character)
            }
        }
        throw TestFailure("a value without an end")
    }
}
