internal import BoundedText

/// A metric of Prometheus' text format, version 0.0.4, with its samples.
package struct PrometheusMetric {
    package enum Kind: String, Sendable {
        /// A number that only grows, until its process ends.
        case counter
        case gauge
    }

    private let name: String
    /// The lines that describe it.
    private let head: String
    /// In UTF-8, one per line.
    private var samples: [UInt8] = []
    /// The labels that were added: the same series twice makes the whole text useless.
    private var seen: Set<PrometheusLabels> = []

    /// - Parameter help: Without a backslash or a line feed.
    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        head = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a sample, unless one with these labels was added.
    package mutating func add(_ labels: PrometheusLabels, _ value: Int64) {
        if seen.insert(labels).inserted { addUnique(labels, value) }
    }

    /// Adds a sample in seconds, unless one with these labels was added.
    package mutating func add(_ labels: PrometheusLabels, milliseconds: Int) {
        guard seen.insert(labels).inserted else { return }
        append(labels, Self.seconds(milliseconds))
    }

    /// Like `0.084`.
    package static func seconds(_ milliseconds: Int) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
    }

    /// Adds a sample with labels that no other one has.
    package mutating func addUnique(_ labels: PrometheusLabels, _ value: Int64) { append(labels, String(value)) }

    private mutating func append(_ labels: PrometheusLabels, _ value: String) {
        samples += name.utf8
        if !labels.bytes.isEmpty {
            samples.append(UInt8(ascii: "{"))
            samples += labels.bytes
            samples.append(UInt8(ascii: "}"))
        }
        samples.append(UInt8(ascii: " "))
        samples += value.utf8
        samples.append(UInt8(ascii: "\n"))
    }

    /// The metric's help and type, and its samples; nothing if there are none.
    package var text: String {
        guard !samples.isEmpty else { return "" }
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(text: bytes)
    }

    /// Appends what it is, and its samples if there are any, in UTF-8.
    package func write(to bytes: inout [UInt8]) {
        bytes += head.utf8
        bytes += samples
    }

    /// The number of bytes that are written.
    package var size: Int { head.utf8.count + samples.count }
}

/// The labels that tell the samples of a metric apart, written out.
package struct PrometheusLabels: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// `name="value"`, separated by commas, in UTF-8.
    private(set) var bytes: [UInt8] = []

    /// In this order.
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// These labels and one more.
    package func with(_ name: String, _ value: String) -> PrometheusLabels {
        var labels = self
        labels.add(name, value)
        return labels
    }

    private mutating func add(_ name: String, _ value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes += name.utf8
        bytes.append(UInt8(ascii: "="))
        bytes.append(UInt8(ascii: "\""))
        let isPlain = value.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        bytes += isPlain ? value.utf8 : Self.escaped(value).utf8
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default:
                // A reader of the text should see what is there; the escape's own backslash is one of the value.
                let character = String(scalar)
                let visible = VisibleText.escaped(character)
                result += visible == character ? character : "\\" + visible
            }
        }
        return result
    }
}
