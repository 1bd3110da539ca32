internal import Diagnostics
package import EventLoops
internal import SystemSupport

extension AssociationServer {
    /// Binds all addresses; `nil` is port 443 of every address.
    static func bind(_ addresses: [String]?) throws(ServerError) -> [Listener] {
        var listeners: [Listener] = []
        for text in addresses ?? ["443"] {
            guard let wanted = ListenAddress(text) else {
                throw ServerError(
                    .configuration, "cannot listen on \(quoted(text)): expected \(ListenAddress.expected)")
            }
            for address in wanted.addresses {
                do throws(SystemError) {
                    listeners.append(try Listener(address))
                } catch {
                    // Without being asked for it, IPv6 is served where there is IPv6.
                    if wanted.addresses.count > 1, address.isIPv6, error.isAddressUnavailable { continue }
                    throw ServerError(.addressUnavailable, message(address, error, "--listen"))
                }
            }
        }
        return listeners
    }

    /// The listener of the admin, if there is to be one: the one that a service manager has bound, or else an own one.
    ///
    /// - Parameter text: `nil` is none.
    package static func adminListener(
        _ text: String?, _ inherited: InheritedListeners
    ) throws(ServerError) -> Listener? {
        if let listener = inherited.admin {
            if listener.address.isLoopback { return listener }
            let problem = AdminAddress.problem(listener.address.description) ?? ""
            throw ServerError(
                .addressUnavailable,
                "cannot use the socket 'admin' of the service manager at \(listener.address): \(problem)")
        }
        guard let text else { return nil }
        if let problem = AdminAddress.problem(text) {
            throw ServerError(.configuration, "cannot listen on '\(text)': \(problem)")
        }
        guard let address = SocketAddress(text) else {
            throw ServerError(.configuration, "cannot listen on '\(text)': expected an address like '127.0.0.1:9443'")
        }
        do throws(SystemError) {
            return try Listener(address)
        } catch {
            throw ServerError(.addressUnavailable, message(address, error, "--admin"))
        }
    }

    private static func message(_ address: SocketAddress, _ error: SystemError, _ flag: String) -> String {
        let problem = "cannot listen on \(address): \(error.reason)"
        if error.isAddressInUse {
            return "\(problem); another process has port \(address.port): stop it, or choose a port with \(flag)"
        }
        if error.isForbiddenByUnit(address) {
            return
                "\(problem); with the unit in Config, systemd opens the sockets: see aasa.socket and aasa-admin.socket"
        }
        if error.isPermissionDenied, address.port < 1_024 {
            return """
                \(problem); ports below 1024 need a right: choose another with \(flag), give the process \
                CAP_NET_BIND_SERVICE, or let systemd open the socket
                """
        }
        if error.isAddressUnavailable { return "\(problem); choose an address of this machine with \(flag)" }
        return problem
    }
}
