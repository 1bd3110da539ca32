internal import EventLoops

/// The address of the admin listener, as server.json and the flag give it.
package enum AdminAddress {
    /// What is written for no listener.
    package static let none = "none"

    /// Why a text is neither `none` nor a loopback address with a port; `nil` if it is one of them.
    ///
    /// - Parameter quote: what examples are put in.
    package static func problem(_ text: String, quote: String = "") -> String? {
        if text == none { return nil }
        let example = "\(quote)127.0.0.1:9443\(quote)"
        guard let address = address(text) else {
            return "expected \(quote)none\(quote), or a loopback address and a port, like \(example)"
        }
        if address.isLoopback { return nil }
        return """
            expected a loopback address, like \(example): what it answers has neither TLS nor a password, and is for this \
            machine only
            """
    }

    /// What to listen on; a port of `localhost` is that of 127.0.0.1.
    static func address(_ text: String) -> SocketAddress? {
        guard let colon = text.lastIndex(of: ":"), text[..<colon].lowercased() == "localhost" else {
            return SocketAddress(text)
        }
        return SocketAddress("127.0.0.1\(text[colon...])")
    }

    /// The same port at the loopback address, where that may be what was meant.
    static func suggestion(for text: String) -> String? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        guard ["", "*", "0.0.0.0", "[::]", "127.1"].contains(text[..<colon]) else { return nil }
        return SocketAddress("127.0.0.1:\(text[text.index(after: colon)...])")?.description
    }
}
