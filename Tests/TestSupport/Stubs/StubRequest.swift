internal import Foundation

/// A request that a stub server has received.
package struct StubRequest: Sendable {
    package let method: String
    /// As it was sent.
    package let target: String
    /// In the order in which they came, without the white space around values.
    package let fields: [(name: String, value: String)]
    /// The address of the server that it was sent to.
    package let address: String

    /// Nil for what is not a request.
    init?(_ text: String, address: String) {
        let lines = text.components(separatedBy: "\r\n")
        let parts = lines[0].split(separator: " ")
        guard parts.count == 3, parts[2] == "HTTP/1.1" else { return nil }
        (method, target) = (String(parts[0]), String(parts[1]))
        fields = lines.dropFirst().prefix { !$0.isEmpty }.map { line in
            let name = line.prefix { $0 != ":" }
            return (String(name), line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces))
        }
        self.address = address
    }

    /// The value of the first field of a name.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package var userAgent: String { self["User-Agent"] ?? "" }

    /// The target without percent-encoding.
    var decodedTarget: String { target.removingPercentEncoding ?? target }
}
