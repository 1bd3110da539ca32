import AssociationServer
import Testing

@Suite("Tables of host names")
struct HostTableTests {
    private let table = HostTable([
        ("example.com", 1), ("*.example.com", 2), ("www.example.com", 3), ("xn--bcher-kva.example", 4),
        ("localhost", 5),
        ("example.com", 6),
    ])

    @Test(
        "exact names win over wildcards, which are one label deep",
        arguments: [
            ("example.com", 1), ("EXAMPLE.Com", 1), ("www.example.com", 3), ("shop.example.com", 2),
            ("SHOP.EXAMPLE.COM", 2), ("a.shop.example.com", nil), ("xexample.com", nil), (".example.com", nil),
            ("xn--bcher-kva.example", 4), ("localhost", 5), ("localhost.", nil), ("", nil), ("com", nil), ("*", nil),
            ("*.example.com", 2), ("example.org", nil), (String(repeating: "a", count: 255), nil),
            (String(repeating: "a", count: 256), nil),
        ] as [(String, Int?)])
    func lookUp(name: String, expected: Int?) {
        #expect(table.find(name) == expected)
    }

    @Test("thousands of names are all found, and only they")
    func many() {
        let names = (0..<10_000).map { "site-\($0).example.com" }
        let table = HostTable(names.enumerated().map { ($0.element, $0.offset) })
        for (place, name) in names.enumerated() where place % 7 == 0 { #expect(table.find(name) == place) }
        for place in stride(from: 0, to: 10_000, by: 7) { #expect(table.find("site-\(place).example.org") == nil) }
    }

    @Test("an empty table finds nothing")
    func empty() { #expect(HostTable([]).find("example.com") == nil) }
}
