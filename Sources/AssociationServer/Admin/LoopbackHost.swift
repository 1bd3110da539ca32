internal import EventLoops

/// Tells names of this machine from others.
///
/// A page of a foreign site can have its own name resolved to 127.0.0.1 and then read what a service here answers (DNS
/// rebinding); but its requests still name the foreign host.
enum LoopbackHost {
    /// - Parameter authority: a host, with or without a port.
    static func matches(_ authority: String) -> Bool {
        guard let host = host(of: authority) else { return false }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name.lowercased() == "localhost" || SocketAddress("\(host):0")?.isLoopback == true
    }

    /// The host without its port; `nil` if what stands behind the colon is none.
    private static func host(of authority: String) -> String? {
        let start =
            authority.hasPrefix("[") ? authority.firstIndex(of: "]") ?? authority.endIndex : authority.startIndex
        guard let colon = authority[start...].firstIndex(of: ":") else { return authority }
        let port = authority[authority.index(after: colon)...]
        return port.allSatisfy({ $0.isASCII && $0.isNumber }) ? String(authority[..<colon]) : nil
    }
}
