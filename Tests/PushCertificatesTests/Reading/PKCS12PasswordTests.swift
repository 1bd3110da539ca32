import PushCertificates
import PushSamples
import Testing

@Suite("Passwords of PKCS #12")
struct PKCS12PasswordTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let made: SamplePassword
        let given: String?
        let outcome: String

        init(_ description: String, made: SamplePassword, given: String?, _ outcome: String) {
            testDescription = description
            self.made = made
            self.given = given
            self.outcome = outcome
        }
    }

    static let cases = [
        Case("as given", made: "sesame", given: "sesame", "ok"),
        Case("another", made: "sesame", given: "simsim", "wrong-password"),
        Case("none given", made: "sesame", given: nil, "password-required"),
        Case("the empty one given", made: "sesame", given: "", "wrong-password"),
        Case("beyond ASCII", made: "pässwörd-ключ-鍵", given: "pässwörd-ключ-鍵", "ok"),
        Case("beyond the basic plane", made: "key🔑", given: "key🔑", "ok"),
        Case("made in NFC, given in NFD", made: "p\u{E4}ss", given: "pa\u{308}ss", "ok"),
        Case("made in NFD, given in NFC", made: "pa\u{308}ss", given: "p\u{E4}ss", "ok"),
        Case("each byte a character", made: .bytesAsCharacters("pässwörd"), given: "pässwörd", "ok"),
        Case("compatibility is another text", made: "ﬁx", given: "fix", "wrong-password"),
        Case("empty, none given", made: "", given: nil, "ok"),
        Case("empty, something given", made: "", given: "sesame", "ok"),
        Case("none at all, none given", made: .none, given: nil, "ok"),
        Case("none at all, empty given", made: .none, given: "", "ok"),
        Case("none at all, something given", made: .none, given: "pässwörd", "ok"),
    ]

    @Test("what opens a file", arguments: cases, SamplePKCS12.Form.allCases.filter { $0 != .plain })
    func outcome(_ entry: Case, form: SamplePKCS12.Form) throws {
        let whole = try SamplePKCS12.export(FileOutcome.certificate(), password: entry.made, as: form)
        let isOpen = entry.outcome == "ok" && ["", nil].contains(entry.made.text)
        for container in [whole, whole.with { $0.mac = nil }] {
            // In PBES2 bytes are bytes.
            guard try FileOutcome.code(container.der(), password: entry.given) == entry.outcome else {
                Issue.record("\(entry.testDescription)")
                continue
            }
            guard entry.outcome == "ok" else { continue }
            let file = try FileOutcome.read(container.der(), password: entry.given)
            #expect(file.certificates.map(\.key) == [.matching])
            #expect(file.says("unprotected-key") == isOpen)
        }
    }

    @Test("a password that is no UTF-8 is taken byte by byte")
    func notUTF8() throws {
        let container = try SamplePKCS12.export(FileOutcome.certificate(), password: "p\u{E4}ss", as: .keychain)
        let password = Password(utf8: [0x70, 0xE4, 0x73, 0x73])
        let file = try CertificateFileReader().read(container.der(), password: password)
        #expect(file.certificates.map(\.key) == [.matching])
    }

    @Test("the MAC and the content may take different forms of the password")
    func differentForms() throws {
        let certificate = FileOutcome.certificate()
        let part = SampleEncryption(.tripleDES, password: .bytesAsCharacters("schlüssel"))
        let key = SampleEncryption(.aes256, password: "schlu\u{308}ssel")
        let container = SamplePKCS12(
            [
                .encrypted([.certificate(try certificate.der())], part),
                .plain([.shroudedKey(try certificate.key.pkcs8(), key)]),
            ], mac: SampleMAC(password: "schlüssel"))
        let file = try FileOutcome.read(container.der(), password: "schlüssel")
        #expect(file.certificates.map(\.key) == [.matching])
    }

    @Test("a key with a password of its own is unreadable, and its certificate is read")
    func otherKey() throws {
        let certificate = FileOutcome.certificate()
        let key = SampleEncryption(.aes256, password: "another")
        let bags: [SampleBag] = [
            .certificate(try certificate.der()), .shroudedKey(try certificate.key.pkcs8(), key),
        ]
        let container = SamplePKCS12([.plain(bags)], mac: SampleMAC(password: "sesame"))
        let file = try FileOutcome.read(container.der(), password: "sesame")
        #expect(file.certificates.map(\.key) == [.unreadable])
        #expect(!file.wantsPassword)
        let open = SamplePKCS12([.plain(bags)], mac: SampleMAC(password: ""))
        let asking = try FileOutcome.read(open.der())
        #expect(asking.certificates.map(\.key) == [.unreadable])
        #expect(asking.wantsPassword)
        #expect(try FileOutcome.read(open.der(), password: "another").certificates.map(\.key) == [.matching])
    }

    @Test("the MAC verifies and the certificates do not decrypt: the file is damaged")
    func otherPart() throws {
        let part = SampleEncryption(.aes256, password: "another")
        let container = SamplePKCS12(
            [.encrypted([.certificate(try FileOutcome.certificate().der())], part)],
            mac: SampleMAC(password: "sesame"))
        #expect(try FileOutcome.code(container.der(), password: "sesame") == "corrupt")
    }

    @Test("a wrong password says so, and names no option; one that is missing names all three")
    func messages() throws {
        let container = try SamplePKCS12.export(FileOutcome.certificate(), password: "sesame")
        let wrong = try #require(try FileOutcome.error(container.der(), password: "simsim"))
        #expect(wrong.sentence.contains("damaged"))
        #expect(!wrong.sentence.contains("simsim"))
        let missing = try #require(try FileOutcome.error(container.der()))
        for option in ["--password-env", "--password-file", "--password-fd"] {
            #expect(missing.sentence.contains(option))
        }
    }
}

extension SamplePassword {
    /// Nil for none.
    fileprivate var text: String? {
        switch self {
        case .none: nil
        case .text(let text), .bytesAsCharacters(let text): text
        }
    }
}
