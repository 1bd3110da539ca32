internal import Diagnostics

/// A metric of Prometheus' text format, version 0.0.4, with its samples.
struct PrometheusMetric {
    private let name: String
    private let help: String
    private var samples: [String] = []
    /// The labels that there are: the same series twice makes the whole file useless.
    private var seen: Set<[UInt8]> = []

    /// - Parameter help: Without a backslash or a line feed.
    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    /// Adds a sample, unless there is one with these labels.
    mutating func add(_ labels: [(name: String, value: String)], _ value: Int64) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        guard seen.insert(Array(pairs.utf8)).inserted else { return }
        samples.append("\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(value)\n")
    }

    /// Nothing if there is no sample.
    var text: String {
        guard !samples.isEmpty else { return "" }
        return "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(samples.joined())"
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default:
                // Whoever looks at the file should see what is there; the escape's own backslash is one of the value.
                let character = String(scalar)
                let visible = VisibleText.escaped(character)
                result += visible == character ? character : "\\" + visible
            }
        }
        return result
    }
}
