import DomainNames
import EventLoops
import Glibc
import SystemSupport
import TestSupport
import Testing

struct ListenerTests {
    @Test("A listener of port 0 says which port it got")
    func freePort() throws {
        let listener = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        let port = try #require(listener.address.port)
        #expect(port != 0)
        #expect(fcntl(listener.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(listener.address.description == "127.0.0.1:\(port)")
    }

    @Test("A port that is listened to cannot be bound again, but can be when its listener is gone")
    func portInUse() throws {
        var first: Listener? = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        let bound = try #require(first?.address)
        let address = try #require(SocketAddress(bound.description))
        let error = #expect(throws: SystemError.self) { try Listener(address) }
        #expect(error?.isAddressInUse == true)
        #expect(error?.call == "bind")
        #expect(error?.isPermissionDenied == false)
        #expect(error?.isAddressUnavailable == false)
        first = nil
        #expect(try Listener(address).address == bound)
    }

    @Test("An address of another machine is unavailable")
    func otherMachine() throws {
        let address = try #require(SocketAddress("192.0.2.1:0"))
        let error = #expect(throws: SystemError.self) { try Listener(address) }
        #expect(error?.isAddressUnavailable == true)
        #expect(error?.isAddressInUse == false)
    }

    @Test("A connection that has said something is accepted, with the address of its peer")
    func accepting() throws {
        let listener = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        guard case .none = listener.accept() else {
            Issue.record("nobody has connected")
            return
        }
        let client = try connect(to: try #require(listener.address.port))
        defer { close(client) }
        #expect(send(client, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
        var waiting = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 60_000) == 1)
        guard case .connection(let accepted, let peer) = listener.accept() else {
            Issue.record("not accepted")
            return
        }
        defer { Socket.close(accepted) }
        #expect(peer == IPAddress(ipv4: 0x7F00_0001))
        #expect(fcntl(accepted, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(accepted, F_GETFD) & FD_CLOEXEC != 0)
    }

    private func connect(to port: UInt16) throws -> Int32 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(client >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        return client
    }
}

@Suite("Inherited listeners")
struct InheritedListenerTests {
    private func option(_ level: Int32, _ name: Int32, of descriptor: Int32) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, level, name, &value, &length)
        return value
    }

    @Test("a listening socket becomes a listener like an own one", arguments: [false, true])
    func adopting(ipv6: Bool) throws {
        let socket = try BoundSocket(ipv6: ipv6)
        // A number of its own, because the listener closes it.
        let descriptor = dup(socket.descriptor)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0)
        var listener: Listener? = try Listener(adopting: descriptor)
        #expect(listener?.address.description == "\(ipv6 ? "[::1]" : "127.0.0.1"):\(socket.port)")
        #expect(listener?.address.isLocal == true)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
        let own = try Listener(try #require(SocketAddress(ipv6 ? "[::1]:0" : "127.0.0.1:0")))
        for name in [TCP_NODELAY, TCP_DEFER_ACCEPT] {
            let value = option(Int32(IPPROTO_TCP), name, of: descriptor)
            #expect(value > 0)
            #expect(value == option(Int32(IPPROTO_TCP), name, of: own.descriptor))
        }
        guard case .none = try #require(listener).accept() else {
            Issue.record("nobody has connected")
            return
        }
        listener = nil
        #expect(fcntl(descriptor, F_GETFD) == -1)
    }

    @Test("what is not a listening stream socket with an address is left as it is, with the reason")
    func unusable() throws {
        let datagram = try BoundSocket(isStream: false)
        let silent = try BoundSocket(isListening: false)
        let unix = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let netlink = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 0)
        var pipes: [Int32] = [0, 0]
        try #require(pipe(&pipes) == 0)
        defer { for descriptor in pipes + [unix, netlink] { close(descriptor) } }
        let cases = [
            (datagram.descriptor, "it is not a stream socket; expected 'ListenStream=' in its unit"),
            (
                silent.descriptor,
                "it does not listen; a unit with 'Accept=yes' hands over connections, expected 'Accept=no'"
            ),
            (unix, "it does not listen; a unit with 'Accept=yes' hands over connections, expected 'Accept=no'"),
            (netlink, "it is a socket of another family; expected IPv4, IPv6 or Unix"),
            (pipes[0], "it is not a socket"),
            (-1, "it is not open"), (1_000_000, "it is not open"),
        ]
        for (descriptor, reason) in cases {
            let flags = (fcntl(descriptor, F_GETFD), fcntl(descriptor, F_GETFL))
            let error = #expect(throws: SystemError.self) { try Listener(adopting: descriptor) }
            #expect(error?.reason == reason)
            #expect((fcntl(descriptor, F_GETFD), fcntl(descriptor, F_GETFL)) == flags)
        }
        withExtendedLifetime((datagram, silent)) {}
    }

    @Test("without anything handed over there are none")
    func none() throws {
        let listeners = try InheritedListeners(ServiceManagerEnvironment())
        #expect(listeners.serving.isEmpty)
        #expect(listeners.admin == nil)
    }

    @Test(
        "only this machine reaches a loopback address",
        arguments: [
            ("127.0.0.1:1", true), ("127.255.255.254:1", true), ("[::1]:1", true), ("0.0.0.0:1", false),
            ("128.0.0.1:1", false), ("1.0.0.127:1", false), ("[::]:1", false), ("[::2]:1", false), ("[1::1]:1", false),
            ("[fe80::1]:1", false), ("[7f00::1]:1", false), ("[::ffff:127.0.0.1]:1", false),
        ])
    func loopback(text: String, expected: Bool) throws {
        #expect(try #require(SocketAddress(text)).isLoopback == expected)
    }
}
