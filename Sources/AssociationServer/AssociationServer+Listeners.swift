internal import EventLoops

extension AssociationServer {
    /// Binds all addresses; `nil` is port 443 of every address.
    static func bind(_ addresses: [String]?) throws(ServerError) -> [Listener] {
        var listeners: [Listener] = []
        for text in addresses ?? ["0.0.0.0:443", "[::]:443"] {
            guard let address = SocketAddress(text) else {
                let expected = "expected an IP address and a port, like '0.0.0.0:443' or '[::1]:8443'"
                throw ServerError(.configuration, "cannot listen on '\(text)': \(expected)")
            }
            do throws(SystemError) {
                listeners.append(try Listener(address))
            } catch {
                // Without being asked for it, IPv6 is served where there is IPv6.
                if addresses == nil, address.isIPv6, error.isAddressUnavailable { continue }
                throw ServerError(.addressUnavailable, message(address, error))
            }
        }
        return listeners
    }

    private static func message(_ address: SocketAddress, _ error: SystemError) -> String {
        let problem = "cannot listen on \(address): \(error.reason)"
        if error.isAddressInUse {
            return "\(problem); another process has port \(address.port): stop it, or choose a port with --listen"
        }
        if error.isPermissionDenied, address.port < 1_024 {
            return """
                \(problem); ports below 1024 need a right: choose another with --listen, give the process \
                CAP_NET_BIND_SERVICE, or let systemd open the socket
                """
        }
        if error.isAddressUnavailable { return "\(problem); choose an address of this machine with --listen" }
        return problem
    }
}
