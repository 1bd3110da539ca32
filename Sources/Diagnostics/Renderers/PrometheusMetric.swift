/// A metric of Prometheus' text format, version 0.0.4, with its samples.
package struct PrometheusMetric {
    package enum Kind: String, Sendable {
        /// A number that only grows, until its process ends.
        case counter
        case gauge
    }

    private let name: String
    private let kind: Kind
    private let help: String
    /// In UTF-8, a line each.
    private var samples: [UInt8] = []
    /// The labels that were added: the same series twice makes the whole text useless.
    private var seen: Set<PrometheusLabels> = []

    /// - Parameter help: Without a backslash or a line feed.
    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// Adds a sample, unless one with these labels was added.
    package mutating func add(_ labels: PrometheusLabels, _ value: Int64) {
        if seen.insert(labels).inserted { addUnique(labels, value) }
    }

    /// Adds a sample with labels that no other one has.
    package mutating func addUnique(_ labels: PrometheusLabels, _ value: Int64) {
        samples += name.utf8
        if !labels.bytes.isEmpty {
            samples.append(UInt8(ascii: "{"))
            samples += labels.bytes
            samples.append(UInt8(ascii: "}"))
        }
        samples.append(UInt8(ascii: " "))
        samples += String(value).utf8
        samples.append(UInt8(ascii: "\n"))
    }

    /// What it is, and its samples; nothing if there are none.
    package var text: String {
        guard !samples.isEmpty else { return "" }
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what it is, and its samples if there are any, in UTF-8.
    package func write(to bytes: inout [UInt8]) {
        bytes += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n".utf8
        bytes += samples
    }
}
