import AssociationServer
import Testing

@Suite("Certificates of other ACME clients")
struct ForeignPairTests {
    private static let folders: [([String], [String])] = [
        (
            ["ca.cer", "example.com.cer", "example.com.conf", "example.com.csr", "example.com.key", "fullchain.cer"],
            ["fullchain.cer + example.com.key"]
        ),
        (
            ["_.example.com.crt", "_.example.com.issuer.crt", "_.example.com.json", "_.example.com.key"],
            ["_.example.com.crt + _.example.com.key"]
        ),
        (
            ["b.example.crt", "b.example.key", "a.example.key", "a.example.crt"],
            ["a.example.crt + a.example.key", "b.example.crt + b.example.key"]
        ),
        (["a-chain-only.pem", "a-chain.pem", "a-crt.pem", "a-key.pem"], ["a-chain.pem + a-key.pem"]),
        (["tls.crt", "tls.key", "ca.crt"], ["tls.crt + tls.key"]),
        // Which key it is, is not evident.
        (["fullchain.cer", "a.key", "b.key"], []),
        (["a.crt", "b.key", "-chain.pem", "-key.pem", ".crt", ".key", "privkey.pem"], []), ([], []),
    ]

    @Test("a pair is known by the names of its files", arguments: folders)
    func pairs(names: [String], expected: [String]) {
        #expect(ForeignPair.all(among: names).map { "\($0.chain) + \($0.key)" } == expected)
        #expect(ForeignPair.all(among: names.reversed()).map { "\($0.chain) + \($0.key)" } == expected)
    }

    @Test("the advice links one pair, and asks for folders where there are several")
    func advice() throws {
        let one = ForeignPair.all(among: ["fullchain.cer", "a.key"])
        let linked = try #require(ForeignPair.advice(one, in: "certs/a"))
        #expect(linked.clause == "found 'fullchain.cer' and 'a.key'")
        #expect(
            linked.help
                == "link them: 'ln -s fullchain.cer certs/a/fullchain.pem' and 'ln -s a.key certs/a/privkey.pem'")
        let two = try #require(ForeignPair.advice(one + one, in: "certs/a"))
        #expect(two.clause == "found 2 certificates with keys, such as 'fullchain.cer' and 'a.key'")
        #expect(two.help.hasPrefix("make a folder for each certificate"))
        #expect(ForeignPair.advice(one, in: nil)?.help == two.help)
        #expect(ForeignPair.advice([], in: nil) == nil)
    }
}
