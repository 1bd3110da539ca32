internal import EventLoops

/// The address of the admin listener, as server.json and the flag give it.
package enum AdminAddress {
    /// What is written for no listener.
    package static let none = "none"

    /// Why a text is neither `none`, nor a loopback address with a port, nor a Unix socket; `nil` if it is one of them.
    ///
    /// - Parameter quote: what examples are put in.
    package static func problem(_ text: String, quote: String = "") -> String? {
        if text == none { return nil }
        let example = "\(quote)127.0.0.1:9443\(quote)"
        if let path = unixPath(text) {
            do throws(UnixSocketPath.Problem) { _ = try UnixSocketPath(path) } catch { return error.message }
            return nil
        }
        guard let address = address(text) else {
            let socket = "\(quote)unix:/run/aasa/admin.sock\(quote)"
            return """
                expected \(quote)none\(quote), or a loopback address and a port, like \(example), or a Unix socket, like \
                \(socket)
                """
        }
        if address.isLocal { return nil }
        return """
            expected a loopback address, like \(example): the admin listener has neither TLS nor a password, so it is for \
            this machine only
            """
    }

    /// What to listen on; a port of `localhost` is that of 127.0.0.1.
    static func address(_ text: String) -> BoundAddress? {
        if let path = unixPath(text) {
            do throws(UnixSocketPath.Problem) { return .unix(try UnixSocketPath(path)) } catch { return nil }
        }
        guard let colon = text.lastIndex(of: ":"), text[..<colon].lowercased() == "localhost" else {
            return SocketAddress(text).map(BoundAddress.internet)
        }
        return SocketAddress("127.0.0.1\(text[colon...])").map(BoundAddress.internet)
    }

    /// What was probably meant: the same port at the loopback address, or a Unix socket.
    static func suggestion(for text: String) -> String? {
        if text.hasPrefix("/") {
            let socket = ListenerEndpoint.unixScheme + text
            return address(socket) == nil ? nil : socket
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        guard ["", "*", "0.0.0.0", "[::]", "127.1"].contains(text[..<colon]) else { return nil }
        return SocketAddress("127.0.0.1:\(text[text.index(after: colon)...])")?.description
    }

    private static func unixPath(_ text: String) -> String? {
        let scheme = ListenerEndpoint.unixScheme
        return text.hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : nil
    }
}
