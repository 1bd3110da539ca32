import EventLoops
import Glibc
import SystemSupport
import TestSupport
import Testing

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
        #expect(listener?.address.isLoopback == true)
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

    @Test("what is no listening TCP socket is left as it is, with the reason")
    func unusable() throws {
        let datagram = try BoundSocket(isStream: false)
        let silent = try BoundSocket(isListening: false)
        let unix = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var pipes: [Int32] = [0, 0]
        try #require(pipe(&pipes) == 0)
        defer { for descriptor in pipes + [unix] { close(descriptor) } }
        let cases = [
            (datagram.descriptor, "it is no stream socket; expected 'ListenStream=' in its unit"),
            (
                silent.descriptor,
                "it does not listen; a unit with 'Accept=yes' hands over connections, expected 'Accept=no'"
            ),
            (unix, "it is a socket of another family; expected IPv4 or IPv6"), (pipes[0], "it is no socket"),
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
        #expect(listeners.https.isEmpty)
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
