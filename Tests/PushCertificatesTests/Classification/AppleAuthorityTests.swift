import OpenSSL
import PushCertificates
import SystemSupport
import Testing

@Suite("Apple's authorities")
struct AppleAuthorityTests {
    /// As published: name, key identifier, SHA-256 of the DER, begin and end (push-certificates.md, section 4).
    static let table: [(AppleAuthority, generation: String?, identifier: String, sha256: String, dates: [String])] = [
        (
            .g1, "G1", "88271709A9B618608BECEBBAF64759C55254A3B7",
            "ce057691d730f89ca25e916f7335f4c8a15713dcd273a658c024023f8eb809c2", ["2013-02-07", "2023-02-07T21:48:47Z"]
        ),
        (
            .g2, "G2", "84B684CC3A866272165994E81AA3BD48DF3ADF0B",
            "9ed4b3b88c6a339cf1387895bda9ca6ea31a6b5ce9edf7511845923b0c8ac94c", ["2014-05-06", "2029-05-06T23:43:24Z"]
        ),
        (
            .g3, "G3", "09FEC01590F9AF640A9212B92628630C97ECA7B2",
            "dcf21878c77f4198e4b4614f03d696d89c66c66008d4244e1b99161aac91601f", ["2020-02-19", "2030-02-20T00:00:00Z"]
        ),
        (
            .g4, "G4", "5BD9FA1DE79A1A0BA399762250863E91C85B77A8",
            "ea4757885538dd8cb59ff4556f676087d83c85e70902c122e42c0808b5bce14c", ["2020-12-16", "2030-12-10T00:00:00Z"]
        ),
        (
            .g5, "G5", "198B978D4A5B617857F4A55C35128A3908E3B075",
            "53fd008278e5a595fe1e908ae9c5e5675f26243264a5a6438c023e3ce2870760", ["2020-12-16", "2030-12-10T00:00:00Z"]
        ),
        (
            .g6, "G6", "3F2F942351D350C99A283DEDB07CE5CFA5906299",
            "bdd4ed6e74691f0c2bfd01be0296197af1379e0418e2d300efa9c3bef642ca30", ["2021-03-17", "2036-03-19T00:00:00Z"]
        ),
        (
            .g7, "G7", "5D42106C1BBBC752974E44BD1327B93A1277832B",
            "0f570d7502373a2102e2106faaa8fa4844944a07ee676198484f4d6ce15bea47", ["2022-11-17", "2023-11-17T20:40:52Z"]
        ),
        (
            .g8, "G8", "B5BDBC80C40CE338A4F4B7AD23B3EF44CEB95A85",
            "29901badea37c9f300ce9869956beeb001d7e71bffb2e2d9533e132a4e87e6bd", ["2023-06-20", "2025-01-24T00:00:00Z"]
        ),
        (
            .root, nil, "2BD06947947609FEF46B8D2E40A6F7474D7F085E",
            "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024", ["2006-04-25", "2035-02-09T21:40:36Z"]
        ),
        (
            .rootG3, nil, "BBB0DEA15833889AA48A99DEBEBDEBAFDACB24AB",
            "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179", ["2014-04-30", "2039-04-30T18:19:06Z"]
        ),
    ]

    private let context: LibraryContext

    init() throws {
        context = try LibraryContext()
    }

    private func certificate(_ authority: AppleAuthority) throws -> X509Certificate {
        try X509Certificate(der: authority.der[...], in: context)
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("all of them are in the table")
    func complete() {
        #expect(Self.table.map(\.0) == AppleAuthority.allCases)
    }

    @Test("what is built in is what Apple has published", arguments: table.indices)
    func published(index: Int) throws {
        let (authority, generation, identifier, sha256, dates) = Self.table[index]
        let certificate = try certificate(authority)
        #expect(certificate.der == authority.der)
        #expect(Self.hexadecimal(SHA256Digest.hash(authority.der)) == sha256)
        // An octet string of twenty bytes.
        #expect(certificate.extension("2.5.29.14")?.prefix(2) == [0x04, 0x14])
        #expect(Self.hexadecimal(certificate.extension("2.5.29.14")?.dropFirst(2) ?? []) == identifier.lowercased())
        #expect(authority.subjectKeyIdentifier == identifier.lowercased())
        #expect(authority.generation == generation)
        #expect(InternetDate.day(certificate.notBefore) == dates[0])
        #expect(InternetDate.string(certificate.notAfter) == dates[1])
    }

    @Test("a root that is built in has signed each of them", arguments: AppleAuthority.allCases)
    func signed(authority: AppleAuthority) throws {
        let root: AppleAuthority = [.g2, .g6, .rootG3].contains(authority) ? .rootG3 : .root
        #expect(try certificate(authority).isSigned(by: certificate(root)))
        let other: AppleAuthority = root == .root ? .rootG3 : .root
        #expect(try !certificate(authority).isSigned(by: certificate(other)))
    }

    @Test("the clock is compared with the begin of G4")
    func startOfG4() throws {
        #expect(try certificate(.g4).notBefore == AppleAuthority.startOfG4)
    }
}
