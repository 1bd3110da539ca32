import AssociationServer
import EventLoops
import Glibc
import TestSupport
import Testing

@Suite("The listener of the admin")
struct AdminListenerTests {
    private func adopted(ipv6: Bool = false, everyAddress: Bool = false) throws -> Listener {
        let socket = try BoundSocket(ipv6: ipv6, everyAddress: everyAddress)
        // A number of its own, because the listener closes it.
        return try withExtendedLifetime(socket) { try Listener(adopting: dup(socket.descriptor)) }
    }

    private func failure(_ text: String?, _ inherited: InheritedListeners = InheritedListeners()) -> ServerError? {
        do throws(ServerError) {
            _ = try LinkServer.adminListener(text, inherited)
            return nil
        } catch {
            return error
        }
    }

    @Test("without an address there is none")
    func none() throws { #expect(try LinkServer.adminListener(nil, InheritedListeners()) == nil) }

    @Test("an address of this machine is bound", arguments: ["127.0.0.1:0", "[::1]:0"])
    func bound(text: String) throws {
        let listener = try #require(try LinkServer.adminListener(text, InheritedListeners()))
        #expect(listener.address.isLocal)
        #expect(listener.address.port != 0)
        let error = try #require(failure(listener.address.description))
        #expect(error.code == .addressUnavailable)
        #expect(error.description.contains("address already in use; help: "))
        #expect(error.description.hasSuffix("or choose a port with --admin"))
    }

    @Test(
        "a program cannot bind another one either",
        arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "x", "none:1", "unix:", "unix:x"])
    func notLoopback(text: String) {
        #expect(failure(text)?.code == .configuration)
        #expect(failure(text)?.description.hasPrefix("cannot listen on '\(text)': ") == true)
    }

    @Test("the one of the service manager is used, whatever address is asked for", arguments: [false, true])
    func inherited(ipv6: Bool) throws {
        let listener = try adopted(ipv6: ipv6)
        let inherited = InheritedListeners(admin: listener)
        for text in [nil, "127.0.0.1:0"] {
            #expect(try LinkServer.adminListener(text, inherited) === listener)
        }
    }

    @Test("one of the service manager that others reach is refused", arguments: [false, true])
    func inheritedForEverybody(ipv6: Bool) throws {
        let listener = try adopted(ipv6: ipv6, everyAddress: true)
        let error = try #require(failure("127.0.0.1:0", InheritedListeners(admin: listener)))
        #expect(error.code == .addressUnavailable)
        let expected =
            "cannot use the socket 'admin' of the service manager at \(listener.address): expected a loopback address"
        #expect(error.description.hasPrefix(expected))
    }
}
