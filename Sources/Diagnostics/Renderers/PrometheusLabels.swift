/// What tells the samples of a metric apart, written out.
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
                // Whoever looks at the text should see what is there; the escape's own backslash is one of the value.
                let character = String(scalar)
                let visible = VisibleText.escaped(character)
                result += visible == character ? character : "\\" + visible
            }
        }
        return result
    }
}
