import Diagnostics
import OpenSSL
import PushCertificates
import PushSamples
import SystemSupport
import Testing

@Suite("Who issued a certificate")
struct IssuerTests {
    private static let universal = SampleProfile.universal.certificate()
    private static let g4: [UInt8] = [
        0x5B, 0xD9, 0xFA, 0x1D, 0xE7, 0x9A, 0x1A, 0x0B, 0xA3, 0x99, 0x76, 0x22, 0x50, 0x86, 0x3E, 0x91, 0xC8, 0x5B,
        0x77, 0xA8,
    ]

    private static func codes(_ file: CertificateFile) -> [String] {
        file.findings.map { "\($0.certificate.map(String.init) ?? "-") \($0.severity) \($0.code)" }
    }

    @Test("what is built in chains to Apple, and is of no generation", arguments: AppleAuthority.allCases)
    func builtIn(authority: AppleAuthority) throws {
        let file = try Classified.read(authority.der)
        let issuer = try #require(file.certificates.first?.issuer)
        #expect(file.certificates.map(\.kind) == [.ca])
        #expect(issuer.chainsToApple && issuer.generation == nil)
        let isRoot = authority.generation == nil
        #expect(
            issuer.commonName == ([.g2, .g6, .rootG3].contains(authority) ? "Apple Root CA - G3" : "Apple Root CA"))
        #expect(
            issuer.notAfter == (isRoot ? nil : issuer.commonName == "Apple Root CA" ? 2_054_670_036 : 2_187_800_346))
        #expect(file.message("not-apple-issued") == nil)
    }

    @Test("names do not make an issuer", arguments: SampleProfile.allCases)
    func fakes(profile: SampleProfile) throws {
        let file = try Classified.only(profile.certificate())
        let certificate = file.certificates[0]
        #expect(certificate.kind.rawValue == profile.kind)
        #expect(certificate.issuer?.commonName == "Apple Worldwide Developer Relations Certification Authority")
        #expect(certificate.issuer?.generation == nil && certificate.issuer?.chainsToApple == false)
        #expect(certificate.issuer?.notAfter == nil)
        let finding = try #require(file.findings.first { $0.code.rawValue == "not-apple-issued" })
        #expect(finding.severity == (certificate.kind == .notPush ? .note : .warning))
        #expect(finding.sentence.contains("'Apple Worldwide Developer Relations Certification Authority'"))
        #expect(finding.sentence.contains("has a name like Apple's"))
    }

    @Test("who claims one of Apple's keys or names must have its signature")
    func pretended() throws {
        let byKey = Self.universal.with { certificate in
            certificate.extensions =
                certificate.extensions.filter { $0.oid != "2.5.29.35" } + [.authorityKeyIdentifier(Self.g4)]
        }
        let byName = Self.universal.with { certificate in
            certificate.extensions.removeAll { $0.oid == "2.5.29.35" }
            certificate.issuerName = [
                .commonName("Apple Worldwide Developer Relations Certification Authority"), .organizationalUnit("G4"),
                .organization("Apple Inc."), .country("US"),
            ]
        }
        // Its own identifier leads nowhere.
        let byBoth = byName.with { $0.extensions.append(.authorityKeyIdentifier([1, 2, 3])) }
        for certificate in [byKey, byName, byBoth] {
            let file = try Classified.only(certificate)
            #expect(
                file.certificates[0].issuer?.chainsToApple == false && file.certificates[0].issuer?.generation == nil)
            let message = try #require(file.message("not-apple-issued"))
            #expect(message.contains("Apple's authority G4") && message.contains("is not signed by Apple"))
        }
    }

    @Test("a self-signed one is called so")
    func selfSigned() throws {
        let file = try Classified.only(Self.universal.with { $0.issuer = nil })
        #expect(file.message("not-apple-issued")?.contains("the certificate is self-signed") == true)
        let authority = try Classified.only(SampleAuthority.root.certificate)
        #expect(
            authority.message("not-apple-issued")?.contains("the issuer 'Apple Root CA' has a name like Apple's")
                == true)
        let other = try Classified.only(Self.universal.with { $0.issuerName = [.commonName("x")] })
        #expect(
            other.message("not-apple-issued")?.contains("the issuer 'x' is not one of Apple's certificate authorities;")
                == true)
        let nameless = try Classified.only(Self.universal.with { $0.issuerName = [.organization("x")] })
        #expect(nameless.message("not-apple-issued")?.contains("has no common name") == true)
    }

    @Test("what a certificate says is shown in a way that does no harm")
    func escaped() throws {
        let file = try Classified.only(Self.universal.with { $0.issuerName = [.commonName("a\u{1B}[31m\nb")] })
        #expect(file.message("not-apple-issued")?.contains("'a\\u001B[31m\\nb'") == true)
    }

    @Test("an issuer in the file is found by its key, whatever the order")
    func inFile() throws {
        let issuer = SampleAuthority.g4.certificate
        let end = issuer.notAfter
        for blocks in [[Self.universal, issuer], [issuer, Self.universal]] {
            let file = try Classified.pem(blocks.map { try $0.pem() }.joined())
            let leaf = try #require(file.certificates.first { $0.kind == .applePushServices })
            #expect(leaf.issuer?.notAfter == end)
            #expect(leaf.issuer?.chainsToApple == false && leaf.issuer?.generation == nil)
            // About the authority beside it nothing is said.
            let index = try #require(file.certificates.firstIndex { $0.kind == .applePushServices })
            #expect(
                Self.codes(file) == ["\(index) warning not-apple-issued"]
                    + (index == 1 ? ["1 warning ca-first"] : []))
        }
    }

    @Test("it may be found by its name")
    func byName() throws {
        let leaf = Self.universal.with { $0.extensions.removeAll { $0.oid == "2.5.29.35" } }
        let file = try Classified.pem(leaf.pem(), SampleAuthority.g4.certificate.pem())
        #expect(file.certificates[0].issuer?.notAfter == SampleAuthority.g4.certificate.notAfter)
        // The name alone is not enough.
        let impostor = SampleAuthority(name: SampleAuthority.g4.name, key: .p256(999), issuer: .root)
        let other = try Classified.pem(leaf.pem(), impostor.certificate.pem())
        #expect(other.certificates[0].issuer?.notAfter == nil)
        #expect(Self.codes(other).contains("1 note wrong-intermediate"))
    }

    @Test("what is no authority issues nothing")
    func noAuthority() throws {
        let false4 = SampleAuthority.g4.certificate.with { certificate in
            certificate.extensions = certificate.extensions.map {
                $0.oid == "2.5.29.19" ? .basicConstraints(isCA: false) : $0
            }
        }
        let file = try Classified.pem(Self.universal.pem(), false4.pem())
        #expect(file.certificates.map(\.kind) == [.applePushServices, .notPush])
        #expect(file.certificates[0].issuer?.notAfter == nil)
    }

    @Test("an intermediate that issued nothing of the file is the wrong one, a root never is")
    func wrongIntermediate() throws {
        let wrong = try Classified.pem(
            Self.universal.pem(), SampleAuthority.g1.certificate.pem(), SampleAuthority.root.certificate.pem())
        #expect(Self.codes(wrong) == ["0 warning not-apple-issued", "1 note wrong-intermediate"])
        let chain = try Classified.pem(
            Self.universal.pem(), SampleAuthority.g4.certificate.pem(), SampleAuthority.root.certificate.pem())
        #expect(Self.codes(chain) == ["0 warning not-apple-issued"])
        // The right one, issued anew.
        let again = SampleAuthority.g4.certificate.with { $0.serial = [9] }
        let twice = try Classified.pem(Self.universal.pem(), SampleAuthority.g4.certificate.pem(), again.pem())
        #expect(Self.codes(twice) == ["0 warning not-apple-issued"])
        // Apple's own, beside what is not Apple's.
        let apples = try Classified.pem(Self.universal.pem(), SamplePEM.block("CERTIFICATE", AppleAuthority.g4.der))
        #expect(Self.codes(apples) == ["0 warning not-apple-issued", "1 note wrong-intermediate"])
        #expect(apples.certificates[1].issuer?.chainsToApple == true)
    }

    @Test("in a file of authorities each of them counts")
    func onlyAuthorities() throws {
        let file = try Classified.pem(SampleAuthority.g4.certificate.pem(), SampleAuthority.root.certificate.pem())
        #expect(Self.codes(file) == ["0 warning not-apple-issued", "1 warning not-apple-issued"])
    }

    @Test("a certificate that is valid for longer than its issuer is warned about, if the issuer is known")
    func outlives() throws {
        let long = Self.universal.with { $0.notAfter = SampleTime.days(2_000) }
        #expect(try Self.codes(Classified.only(long)) == ["0 warning not-apple-issued"])
        let file = try Classified.pem(long.pem(), SampleAuthority.g4.certificate.pem())
        #expect(Self.codes(file) == ["0 warning not-apple-issued", "0 warning outlives-issuer"])
        let text = InternetDate.dayAndMinute(SampleTime.days(2_000))
        #expect(file.message("outlives-issuer")?.contains(text) == true)
        let exact = Self.universal.with { $0.notAfter = SampleTime.days(1_500) }
        #expect(try Self.codes(Classified.pem(exact.pem(), SampleAuthority.g4.certificate.pem())).count == 1)
    }

    @Test("authorities that name each other do no harm")
    func circle() throws {
        let names: [SampleName] = [[.commonName("A")], [.commonName("B")]]
        let keys = [SampleKey.p256(11), .p256(12)]
        let blocks = try [0, 1].map { place in
            let other = SampleAuthority(name: names[1 - place], key: keys[1 - place])
            return try SampleAuthority(name: names[place], key: keys[place], issuer: other).certificate.pem()
        }
        let file = try Classified.pem(blocks.joined())
        #expect(file.certificates.allSatisfy { $0.issuer?.chainsToApple == false && $0.issuer?.notAfter != nil })
    }
}
