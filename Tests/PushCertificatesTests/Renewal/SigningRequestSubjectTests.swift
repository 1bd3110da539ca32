import PushCertificates
import Testing

@Suite("Subjects of requests")
struct SigningRequestSubjectTests {
    /// 2026-11-21T23:59:59Z.
    private let now: Int64 = 1_795_305_599

    @Test("The year is in the common name, and the day in the file name, both in UTC")
    func dates() throws {
        let subject = try SigningRequestSubject(name: "com.example.app", now: now)
        #expect(subject.commonName == "Push com.example.app 2026")
        #expect(subject.stem == "push-com.example.app-20261121")
        #expect(try SigningRequestSubject(name: "a", now: now + 1).stem == "push-a-20261122")
    }

    @Test("A clock far off gives four digits still", arguments: [Int64.min, -1, .max])
    func clock(now: Int64) throws {
        let subject = try SigningRequestSubject(name: String(repeating: "n", count: 155), now: now)
        #expect(subject.commonName.unicodeScalars.count == 64)
    }

    @Test(
        "What means something to a file system or a shell is not in the file name",
        arguments: [
            ("com.example.app", "com.example.app"), ("My App", "My-App"), ("a/b\\c", "a-b-c"),
            ("../../etc", "..-..-etc"),
            ("$(x);`y`&|<>*?!'\"#~", "--x---y------------"), ("Größe 新聞", "Größe-新聞"), ("-rf", "-rf"),
            ("a_b+c@d-1", "a_b+c@d-1"), ("%s{}[]^=:,", "-s--------"),
        ])
    func fileName(name: String, expected: String) throws {
        #expect(try SigningRequestSubject(name: name, now: now).stem == "push-\(expected)-20261121")
    }

    @Test(
        "Names that cannot be a common name are refused",
        arguments: [
            "", " ", "\u{A0}", " a", "a ", "a\n", "a\u{0}b", "a\u{1B}[2J", "a\u{202E}b", "a\u{200B}b", "a\u{85}b",
            String(repeating: "n", count: 156), String(repeating: "é", count: 156), String(repeating: "🔑", count: 156),
        ])
    func badName(name: String) throws {
        #expect {
            try SigningRequestSubject(name: name, now: now)
        } throws: { ($0 as? RenewalError)?.code == .invalidSubject }
    }

    @Test("The longest name still makes file names that a file system takes")
    func longestName() throws {
        let subject = try SigningRequestSubject(name: String(repeating: "🔑", count: 155), now: now)
        #expect("\(subject.stem).certSigningRequest".utf8.count <= 255)
        #expect(subject.commonName.unicodeScalars.count == 64)
    }

    @Test("E-mail addresses are ASCII and have two parts")
    func email() throws {
        #expect(try SigningRequestSubject(name: "a", email: "push@example.com", now: now).email == "push@example.com")
        let long = String(repeating: "x", count: 244) + "@example.com"
        for bad in ["", "@", "a@", "@b", "a", "a@b@c", "a b@c", "ü@example.com", "a@b\n", "a@b\u{7F}", long] {
            #expect(throws: RenewalError.self, "\(bad)") { try SigningRequestSubject(name: "a", email: bad, now: now) }
        }
    }

    @Test("Countries are two letters, upper case in the request")
    func country() throws {
        #expect(try SigningRequestSubject(name: "a", country: "DE", now: now).country == "DE")
        #expect(try SigningRequestSubject(name: "a", country: "de", now: now).country == "DE")
        for bad in ["", "D", "DEU", "D1", "ÄÖ", "ß", "D\n"] {
            #expect(throws: RenewalError.self, "\(bad)") {
                try SigningRequestSubject(name: "a", country: bad, now: now)
            }
        }
    }
}
