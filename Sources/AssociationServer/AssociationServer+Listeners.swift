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
                    throw failure(address, error, "--listen")
                }
            }
        }
        return listeners
    }

    /// The admin listener, if there is to be one: the one that a service manager has bound, or else one of its own.
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
        guard let address = AdminAddress.address(text) else { return nil }
        do throws(SystemError) {
            return try Listener(address)
        } catch {
            throw failure(address, error, "--admin")
        }
    }

    private static func failure(_ address: SocketAddress, _ error: SystemError, _ option: String) -> ServerError {
        var help: String?
        if error.isAddressInUse {
            help = "another process has port \(address.port): stop it, or choose a port with \(option)"
        } else if error.isForbiddenByUnit(address) {
            help = "with the unit in Config, systemd opens the sockets: see aasa.socket and aasa-admin.socket"
        } else if error.isPermissionDenied, address.port < 1_024 {
            help = """
                ports below 1024 need a privilege: choose another with \(option), give the process \
                CAP_NET_BIND_SERVICE, or let systemd open the socket
                """
        } else if error.isAddressUnavailable {
            help = "choose an address of this machine with \(option)"
        }
        return ServerError(.addressUnavailable, "cannot listen on \(address): \(error.reason)", help: help)
    }
}
