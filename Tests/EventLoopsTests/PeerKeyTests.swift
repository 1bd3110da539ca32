import DomainNames
import EventLoops
import Testing

struct PeerKeyTests {
    @Test("Limits count an IPv6 address with its /64")
    func keys() throws {
        let one = try #require(IPAddress("2001:db8::1"))
        #expect(one.key == IPAddress("2001:db8::ffff:2")?.key)
        #expect(one.key != IPAddress("2001:db8:0:1::1")?.key)
        #expect(IPAddress("::1:1")?.key != IPAddress("0.1.0.1")?.key)
        #expect(IPAddress("10.0.0.1")?.key == PeerKey(isIPv6: false, value: 0x0A00_0001))
        #expect(IPAddress("10.0.0.1")?.key != IPAddress("10.0.0.2")?.key)
    }
}
