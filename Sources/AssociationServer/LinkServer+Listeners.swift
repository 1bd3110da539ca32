internal import Diagnostics
package import EventLoops
internal import SystemSupport

/// TCP ports that are opened before the sites are read: who connects meanwhile waits and is not refused, and a port that is
/// in use is reported at once.
///
/// Unix sockets are not among them: a start that fails, or is interrupted, would leave their files behind. It cannot be
/// copied, so that the server, which it is handed to, can close them when it stops.
package struct OpenPorts: ~Copyable, Sendable {
    /// By the index of the listener in the configuration.
    fileprivate(set) var listeners: [Int: [Listener]] = [:]

    package init() {}
}

extension LinkServer {
    /// Opens the TCP ports of a configuration, unless a service manager has bound the sockets.
    ///
    /// - Throws: `ServerError`: `addressUnavailable`, or `configuration` for an invalid address.
    package static func openPorts(
        _ configuration: ServerConfiguration, _ inherited: InheritedListeners
    ) throws(ServerError) -> OpenPorts {
        if let error = configuration.unreachableListenerError { throw error }
        guard inherited.serving.isEmpty else { return OpenPorts() }
        var ports = OpenPorts()
        for (index, wanted) in configuration.listeners.enumerated() {
            if case .unix = wanted.endpoint { continue }
            ports.listeners[index] = try bind(wanted)
        }
        return ports
    }

    /// The listeners that sites are served on: those that a service manager has bound, or else those of the
    /// configuration.
    ///
    /// - Parameter ports: those that are open already.
    static func listeners(
        _ configuration: ServerConfiguration, _ inherited: InheritedListeners, _ ports: consuming OpenPorts
    ) throws(ServerError) -> [ServingListener] {
        if let error = configuration.unreachableListenerError { throw error }
        guard inherited.serving.isEmpty else {
            return inherited.serving.map { ServingListener($0.listener, ListenerKind($0.purpose)) }
        }
        var listeners: [ServingListener] = []
        for (index, wanted) in configuration.listeners.enumerated() {
            let bound = if let open = ports.listeners[index] { open } else { try bind(wanted) }
            listeners += bound.map { ServingListener($0, wanted.kind) }
        }
        return listeners
    }

    private static func bind(_ wanted: ListenerConfiguration) throws(ServerError) -> [Listener] {
        guard wanted.problem == nil, let endpoint = wanted.endpoint else {
            let address = quoted(wanted.address, limit: 120)
            throw ServerError(.configuration, "cannot listen on \(address): \(wanted.problem ?? "")")
        }
        switch endpoint {
        case .unix(let path): return [try bind(path, wanted.access, "--listen")]
        case .https(let address): return try bind(address, "")
        case .http(let address): return try bind(address, "http://")
        }
    }

    private static func bind(_ wanted: ListenAddress, _ scheme: String) throws(ServerError) -> [Listener] {
        var listeners: [Listener] = []
        for address in wanted.addresses {
            do throws(SystemError) {
                listeners.append(try Listener(address))
            } catch {
                // Without being asked for it, IPv6 is served where there is IPv6.
                if wanted.addresses.count > 1, address.isIPv6, error.isAddressUnavailable { continue }
                throw failure(address, scheme, error, "--listen")
            }
        }
        return listeners
    }

    private static func bind(
        _ path: UnixSocketPath, _ access: UnixSocketAccess, _ option: String
    ) throws(ServerError) -> Listener {
        do throws(UnixSocketError) {
            return try Listener(path, access)
        } catch {
            throw failure(path, error, option)
        }
    }

    /// The admin listener, if there is to be one: the one that a service manager has bound, or else one of its own.
    ///
    /// - Parameter text: `nil` is none.
    package static func adminListener(
        _ text: String?, _ inherited: InheritedListeners
    ) throws(ServerError) -> Listener? {
        if let listener = inherited.admin {
            if listener.address.isLocal { return listener }
            let problem = AdminAddress.problem(listener.address.description) ?? ""
            throw ServerError(
                .addressUnavailable,
                "cannot use the socket 'admin' of the service manager at \(listener.address): \(problem)")
        }
        guard let text else { return nil }
        if let problem = AdminAddress.problem(text) {
            throw ServerError(.configuration, "cannot listen on '\(text)': \(problem)")
        }
        switch AdminAddress.address(text) {
        case .internet(let address):
            do throws(SystemError) {
                return try Listener(address)
            } catch {
                throw failure(address, "", error, "--admin")
            }
        case .unix(let path):
            return try bind(path, UnixSocketAccess(mode: 0o600), "--admin")
        case nil: return nil
        }
    }

    private static func failure(
        _ address: SocketAddress, _ scheme: String, _ error: SystemError, _ option: String
    ) -> ServerError {
        var help: String?
        if error.isAddressInUse {
            help = "another process uses port \(address.port): stop it, or choose a port with \(option)"
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
        return ServerError(.addressUnavailable, "cannot listen on \(scheme)\(address): \(error.reason)", help: help)
    }

    private static func failure(_ path: UnixSocketPath, _ error: UnixSocketError, _ option: String) -> ServerError {
        let folder = Path.folder(of: path.text)
        let (reason, help): (String, String?) =
            switch error {
            case .inUse:
                ("the socket is in use", "another process uses it: stop that process, or choose a path with \(option)")
            case .occupied(let kind):
                (
                    "there is \(kind.phrase) at this path, not a socket",
                    "remove it, or choose a path with \(option)"
                )
            case .missingFolder(let folder):
                (
                    "the folder '\(folder)' does not exist",
                    "create it; with systemd, 'RuntimeDirectory=aasa' in the unit creates /run/aasa"
                )
            case .unknownOwner(let name):
                ("there is no user \(quoted(name)) on this machine", "create the user, or set 'owner' to another")
            case .unknownGroup(let name):
                ("there is no group \(quoted(name)) on this machine", "create the group, or set 'group' to another")
            case .ownerRefused(let error):
                (
                    "its owner or group cannot be set: \(error.reason)",
                    "without root, only the group can be set, and only to a group of the server's user"
                )
            case .failed(let error) where error.isPermissionDenied || error.isReadOnlyFileSystem:
                (
                    error.reason,
                    """
                    the server creates the socket in '\(folder)' and needs permission to write there; with systemd, \
                    'RuntimeDirectory=aasa' in the unit creates /run/aasa
                    """
                )
            case .failed(let error): (error.reason, nil)
            }
        return ServerError(.addressUnavailable, "cannot listen on \(path): \(reason)", help: help)
    }
}

extension FileStatus.Kind {
    /// For messages.
    fileprivate var phrase: String {
        switch self {
        case .regular: "a file"
        case .folder: "a folder"
        case .link: "a link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .device: "a device"
        }
    }
}
