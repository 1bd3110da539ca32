import EventLoops
import Glibc
import SystemSupport
import Testing

struct ListenerTests {
    @Test("A listener of port 0 says which port it got")
    func freePort() throws {
        let listener = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        #expect(listener.address.port != 0)
        #expect(fcntl(listener.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(listener.address.description == "127.0.0.1:\(listener.address.port)")
    }

    @Test("A port that is listened to cannot be bound again, but can be when its listener is gone")
    func portInUse() throws {
        var first: Listener? = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        let address = try #require(first?.address)
        let error = #expect(throws: SystemError.self) { try Listener(address) }
        #expect(error?.isAddressInUse == true)
        #expect(error?.call == "bind")
        #expect(error?.isPermissionDenied == false)
        #expect(error?.isAddressUnavailable == false)
        first = nil
        #expect(try Listener(address).address == address)
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
        let client = try connect(to: listener.address.port)
        defer { close(client) }
        #expect(send(client, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
        var waiting = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 60_000) == 1)
        guard case .connection(let accepted, let peer) = listener.accept() else {
            Issue.record("not accepted")
            return
        }
        defer { Socket.close(accepted) }
        #expect(peer == PeerAddress(ipv4: 0x7F00_0001))
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
