import AssociationServer
import Testing

@Suite("Addresses of the admin listener")
struct AdminAddressTests {
    @Test(
        "an option takes what the log prints, a port, and a path",
        arguments: [
            ("http://127.0.0.1:9443", "127.0.0.1:9443"), ("http://[::1]:9443/", "[::1]:9443"),
            ("unix:/run/aasa/admin.sock", "unix:/run/aasa/admin.sock"), ("/run/admin.sock", "unix:/run/admin.sock"),
            ("9443", "127.0.0.1:9443"), ("localhost:9443", "localhost:9443"), ("none", "none"),
        ])
    func forms(option: String, address: String) {
        #expect(AdminAddress.fromOption(option) == address)
        #expect(AdminAddress.problem(address) == nil)
    }

    @Test(
        "what another machine could reach, or is no address, is refused in each form",
        arguments: ["http://192.0.2.1:9443", "99999", "https://127.0.0.1:9443", "/", "", "http://", "-1", "٩"])
    func refused(option: String) {
        #expect(AdminAddress.problem(AdminAddress.fromOption(option)) != nil)
    }

    @Test("server.json has one form for each address")
    func configuration() {
        for text in ["9443", "/run/admin.sock", "http://127.0.0.1:9443"] {
            #expect(AdminAddress.problem(text) != nil, "\(text)")
        }
        #expect(AdminAddress.problem(AdminAddress.usual) == nil)
    }
}
