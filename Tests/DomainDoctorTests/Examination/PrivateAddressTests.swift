import DomainDoctor
import DomainNames
import HTTPClient
import TestSupport
import Testing

/// Whatever names an address that is not public: it is not contacted.
@Suite("Private addresses are left alone")
struct PrivateAddressTests {
    /// One of each block, and of each way to hide one in an IPv6 address.
    static let addresses = [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.31.255.255", "192.0.0.8", "192.0.2.1",
        "192.168.1.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "::",
        "::1", "100::1", "2001:db8::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:a00:1", "64:ff9b::127.0.0.1", "64:ff9b::c0a8:101", "2002:7f00:1::", "2002:a01:203::1", "fec0::1",
        "64:ff9b:1::1.1.1.1", "::1.1.1.1", "::ffff:0:1.1.1.1", "2001::1", "2001:2::1", "3fff::1", "5f00::1",
        "192.88.99.1", "2606:4700::5efe:10.0.0.1", "4000::1",
    ]

    @Test("from the resolver, beside a public one", arguments: addresses)
    func resolved(text: String) async throws {
        let address = try #require(IPAddress(text))
        let world = FakeWorld(addresses: [text, "198.105.1.1"])
        let seen = try await world.examination().observe(.of("shop.example.com"))
        #expect(world.record.contacted == [IPAddress(ipv4: 0xC669_0101)])
        #expect(seen.refused == [address] && seen.wellKnown?.value?.status == 200)
        let alone = FakeWorld(addresses: [text])
        let nothing = try await alone.examination().observe(.of("shop.example.com"))
        #expect(alone.record.contacted.isEmpty && nothing.refused == [address] && nothing.addresses.isEmpty)
    }

    @Test("from an override, for the host and for services", arguments: addresses)
    func overridden(text: String) async throws {
        let world = FakeWorld()
        let bracketed = text.contains(":") ? "[\(text)]" : text
        let examination = try world.examination { settings in
            for name in ["shop.example.com", "cdn.example.net", "google.example.net"] {
                try settings.overrides.add("\(name):443:\(bracketed)") { $0 }
            }
            settings.appleCopies = try RequestURL("https://cdn.example.net/")
            settings.googleViews = try RequestURL("https://google.example.net/")
            settings.isAndroidAskedFor = true
        }
        let seen = try await examination.observe(.of("shop.example.com"))
        #expect(world.record.contacted.isEmpty && seen.refused.count == 1)
        #expect(seen.appleCopy?.problem == .notPublic(seen.refused))
        #expect(seen.googleView?.problem == .notPublic(seen.refused))
    }

    @Test("as the address of a service, or of its name", arguments: addresses)
    func services(text: String) async throws {
        let bracketed = text.contains(":") ? "[\(text)]" : text
        let world = FakeWorld(resolve: { _, _ in .success([text].compactMap { IPAddress($0) }) })
        let examination = try world.examination { settings in
            settings.appleCopies = try RequestURL("https://\(bracketed)/")
            settings.googleViews = try RequestURL("http://google.example.net/")
            settings.isAndroidAskedFor = true
        }
        let seen = try await examination.observe(.of("shop.example.com"))
        #expect(world.record.contacted.isEmpty)
        #expect(seen.appleCopy?.problem == .notPublic(seen.refused))
        #expect(seen.googleView?.problem == .notPublic(seen.refused))
    }

    @Test(
        "as a target, in every spelling",
        arguments: [
            "127.0.0.1", "0x7f.1", "0177.0.0.1", "2130706433", "127.1", "127.0.0.1.", "0x7f000001:8443", "10.1",
            "[::1]", "[::1]:8443", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "https://0x7f.1/x", "http://[fe80::1]/",
            "https://2130706433:8443/", "*.127.1",
        ])
    func target(text: String) async throws {
        let world = FakeWorld()
        let seen = try await world.examination().observe(.of(text))
        #expect(world.record.contacted.isEmpty && world.record.lookups.isEmpty)
        #expect(seen.refused.count == 1 && seen.addresses.isEmpty && seen.unfinished.isEmpty)
    }

    @Test("with permission they are contacted", arguments: ["10.1.2.3", "::1", "64:ff9b::7f00:1"])
    func permitted(text: String) async throws {
        let world = FakeWorld(addresses: [text])
        let seen = try await world.examination { $0.allowsPrivateAddresses = true }.observe(.of("shop.example.com"))
        #expect(world.record.contacted == Set([text].compactMap { IPAddress($0) }))
        #expect(seen.refused.isEmpty && seen.addresses.count == 1)
    }
}
