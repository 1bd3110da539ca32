/// A metric of Prometheus' text format, version 0.0.4, with its samples.
package struct PrometheusMetric {
    package enum Kind: String, Sendable {
        /// A number that only grows, until its process ends.
        case counter
        case gauge
    }

    package typealias Label = (name: String, value: String)

    private let name: String
    private let kind: Kind
    private let help: String
    /// In UTF-8, a line each.
    private var samples: [UInt8] = []
    /// The labels that there are: the same series twice makes the whole text useless.
    private var seen: Set<[UInt8]> = []

    /// - Parameter help: Without a backslash or a line feed.
    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// Adds a sample, unless there is one with these labels.
    package mutating func add(_ labels: [Label], _ value: Int64) {
        var pairs: [UInt8] = []
        for label in labels {
            if !pairs.isEmpty { pairs.append(UInt8(ascii: ",")) }
            pairs += label.name.utf8
            pairs += "=\"".utf8
            Self.write(label.value, to: &pairs)
            pairs.append(UInt8(ascii: "\""))
        }
        guard seen.insert(pairs).inserted else { return }
        samples += name.utf8
        if !pairs.isEmpty {
            samples.append(UInt8(ascii: "{"))
            samples += pairs
            samples.append(UInt8(ascii: "}"))
        }
        samples.append(UInt8(ascii: " "))
        samples += String(value).utf8
        samples.append(UInt8(ascii: "\n"))
    }

    /// What it is, and its samples; nothing if there are none.
    package var text: String { samples.isEmpty ? "" : String(decoding: bytes, as: UTF8.self) }

    /// What it is, and its samples if there are any, in UTF-8.
    package var bytes: [UInt8] {
        Array("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n".utf8) + samples
    }

    private static func write(_ value: String, to bytes: inout [UInt8]) {
        let isPlain = value.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        bytes += isPlain ? value.utf8 : escaped(value).utf8
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default:
                // Whoever looks at the text should see what is there; the escape's own backslash is one of the value.
                let character = String(scalar)
                let visible = VisibleText.escaped(character)
                result += visible == character ? character : "\\" + visible
            }
        }
        return result
    }
}
