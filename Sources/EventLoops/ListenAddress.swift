/// What to listen on, as people write it: an address with a port, or less.
package struct ListenAddress: Equatable, Sendable {
    /// What is accepted, for messages.
    package static let expected =
        "a port, or an address and a port: '443', ':8443', 'localhost:8443', '127.0.0.1:8443', '[::1]:8443'"

    /// Of IPv4 and IPv6 where the text leaves it open; then IPv6 need not be there.
    package let addresses: [SocketAddress]

    /// Reads `443` and `:443` (every address of this machine), `localhost:8443`, `192.0.2.1:443` or `[2001:db8::1]:443`;
    /// `nil` if the text is none of them.
    package init?(_ text: String) {
        let hosts: [String]
        let port: Substring
        if let colon = text.lastIndex(of: ":") {
            port = text[text.index(after: colon)...]
            switch text[..<colon].lowercased() {
            case "", "*": hosts = ["0.0.0.0", "[::]"]
            case "localhost": hosts = ["127.0.0.1", "[::1]"]
            default: hosts = [String(text[..<colon])]
            }
        } else {
            port = text[...]
            hosts = ["0.0.0.0", "[::]"]
        }
        addresses = hosts.compactMap { SocketAddress("\($0):\(port)") }
        if addresses.count != hosts.count { return nil }
    }
}
