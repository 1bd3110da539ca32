import Diagnostics
import PushCertificates
import Testing

@Suite("Certificates that newer ones replace")
struct SupersededTests {
    private static let day = CheckSample.day
    private static let year = 365 * CheckSample.day

    /// Whether the first of two certificates is replaced by the second.
    private static func replaces(_ new: PushCertificate, _ old: PushCertificate) -> Bool {
        CheckSample.report(CheckSample.file("old", old), CheckSample.file("new", new)).files[0].certificates[0]
            .isSuperseded
    }

    @Test("Its own status stays; that of the old one is ok, and what is said of it are notes", arguments: [-3, 10, 20])
    func verdict(days: Int64) throws {
        let report = CheckSample.report(
            CheckSample.file("old.p12", CheckSample.certificate(left: days * Self.day)),
            CheckSample.file("new.p12", CheckSample.certificate(left: 25 * Self.day)))
        let old = report.files[0]
        #expect(old.status == .ok)
        #expect(old.certificates[0].supersededBy == CertificateReference(path: "new.p12", index: 0))
        #expect(!old.certificates[0].counts)
        #expect(old.certificates[0].daysLeft == Int(days))
        #expect(old.codes == [days < 0 ? "expired:note" : "expires-soon:note", "superseded:note"])
        #expect(
            try #require(old.findings.last).message.contains("'new.p12', valid until 2026-12-13 11:06 UTC"))
        #expect(report.files[1].status == .warning)
        #expect(report.files[1].codes == ["expires-soon:warning"])
        #expect(report.status == .warning)
    }

    @Test("One that is not in danger needs no successor")
    func healthy() {
        #expect(!Self.replaces(CheckSample.certificate(left: 2 * Self.year), CheckSample.certificate(left: Self.year)))
    }

    @Test("A newer one has all topics and environments of the old one")
    func topics() {
        func new(_ topics: [String], _ environments: [APNsEnvironment] = [.sandbox, .production]) -> PushCertificate {
            CheckSample.certificate(topics, left: Self.year, environments: environments)
        }
        let old = CheckSample.certificate(["a", "b"], left: Self.day, environments: [.production])
        #expect(Self.replaces(new(["a", "b"]), old))
        #expect(Self.replaces(new(["c", "b", "x", "a", "a"], [.production]), old))
        #expect(!Self.replaces(new(["a"]), old))
        #expect(!Self.replaces(new(["a", "c"]), old))
        #expect(!Self.replaces(new(["a", "b"], [.sandbox]), old))
        #expect(!Self.replaces(new(["a", "b"], []), old))
        #expect(!Self.replaces(new([]), CheckSample.certificate([], left: Self.day)))
    }

    @Test("Names are compared by their bytes, and purposes not at all")
    func names() {
        let new = CheckSample.certificate(["caf\u{E9}"], left: Self.year)
        #expect(!Self.replaces(new, CheckSample.certificate(["cafe\u{301}"], left: Self.day)))
        #expect(!Self.replaces(new, CheckSample.certificate(["CAF\u{E9}"], left: Self.day)))
        let old = PushCertificate(
            kind: .apnsProduction, topics: [Topic(name: "caf\u{E9}", purposes: ["other"])], environments: [.production],
            team: "ABCDE12345", notBefore: 0, notAfter: CheckSample.now, key: .none)
        #expect(Self.replaces(new, old))
    }

    static let teamsCases: [(String?, String?, Bool)] = [
        ("A", "A", true), ("A", "B", false), ("A", nil, false), (nil, "A", false), (nil, "", false), (nil, nil, true),
    ]

    @Test("Both are of the same team", arguments: teamsCases)
    func teams(old: String?, new: String?, isReplaced: Bool) {
        #expect(
            Self.replaces(
                CheckSample.certificate(left: Self.year, team: new), CheckSample.certificate(left: Self.day, team: old))
                == isReplaced)
    }

    @Test("A newer one is from Apple if the old one is", arguments: [false, true], [false, true])
    func chain(old: Bool, new: Bool) {
        let isReplaced = Self.replaces(
            CheckSample.certificate(left: Self.year, chains: new), CheckSample.certificate(left: Self.day, chains: old))
        #expect(isReplaced == (new || !old))
    }

    static let keysCases: [(KeyPresence, KeyPresence, Bool)] = [
        (.matching, .matching, true), (.matching, .unreadable, false), (.matching, .mismatched, false),
        (.matching, .none, false), (.unreadable, .matching, true), (.unreadable, .unreadable, true),
        (.unreadable, .mismatched, false), (.unreadable, .none, false), (.mismatched, .matching, true),
        (.mismatched, .none, false), (.none, .matching, true), (.none, .none, true), (.none, .mismatched, true),
    ]

    @Test("A newer one has its key if the old one has", arguments: keysCases)
    func keys(old: KeyPresence, new: KeyPresence, isReplaced: Bool) {
        #expect(
            Self.replaces(
                CheckSample.certificate(left: Self.year, key: new), CheckSample.certificate(left: Self.day, key: old))
                == isReplaced)
    }

    @Test("A newer one is valid now and ends later")
    func time() {
        let old = CheckSample.certificate(left: Self.day)
        #expect(Self.replaces(CheckSample.certificate(left: Self.day + 1), old))
        #expect(!Self.replaces(CheckSample.certificate(left: Self.day), old))
        #expect(Self.replaces(CheckSample.certificate(left: Self.year, begin: 0), old))
        #expect(!Self.replaces(CheckSample.certificate(left: Self.year, begin: 1), old))
        let expired = CheckSample.certificate(left: -10)
        #expect(Self.replaces(CheckSample.certificate(left: 0), expired))
        #expect(!Self.replaces(CheckSample.certificate(left: -1), expired))
    }

    @Test("What is not valid yet, or never was, is not replaced")
    func otherReasons() {
        let new = CheckSample.certificate(left: 2 * Self.year)
        #expect(!Self.replaces(new, CheckSample.certificate(left: Self.day, begin: 60)))
        #expect(!Self.replaces(new, CheckSample.certificate(left: -Self.day, begin: -60)))
    }

    @Test("The newest replaces all before it, but none in the same file, which senders may take instead")
    func chainOfThree() {
        let report = CheckSample.report(
            CheckSample.file(
                "one.pem", CheckSample.certificate(left: -Self.day, sha256: "1"),
                CheckSample.certificate(left: 10 * Self.day, sha256: "2")),
            CheckSample.file("two.pem", CheckSample.certificate(left: Self.year)))
        let newest = CertificateReference(path: "two.pem", index: 0)
        #expect(report.files[0].certificates.map(\.supersededBy) == [newest, newest])
        #expect(report.status == .ok)
        #expect(report.files[0].codes.first == "several-identities:note")
    }

    @Test("Of equals the first one is named, and the same file twice replaces nothing")
    func equals() {
        let new = CheckSample.certificate(left: Self.year)
        let old = CheckSample.certificate(left: Self.day)
        let report = CheckSample.report(
            CheckSample.file("b", new), CheckSample.file("a", new), CheckSample.file("c", old))
        #expect(report.files[2].certificates[0].supersededBy?.path == "b")
        #expect(CheckSample.report(CheckSample.file("a", old), CheckSample.file("a", old)).status == .critical)
    }

    @Test("An MDM certificate with the same topic replaces the old one, one with a new topic does not")
    func mdm() {
        let old = CheckSample.certificate(["com.apple.mgmt.External.1"], left: Self.day, kind: .mdm)
        #expect(
            Self.replaces(CheckSample.certificate(["com.apple.mgmt.External.1"], left: Self.year, kind: .mdm), old))
        #expect(
            !Self.replaces(CheckSample.certificate(["com.apple.mgmt.External.2"], left: Self.year, kind: .mdm), old))
    }

    @Test("Neither CAs nor what is not for push replace or are replaced", arguments: [CertificateKind.ca, .notPush])
    func notForPush(kind: CertificateKind) {
        #expect(
            !Self.replaces(
                CheckSample.certificate([], left: Self.year, kind: kind),
                CheckSample.certificate([], left: Self.day, kind: kind)))
    }

    @Test("Thousands of certificates take no time, whether their topics differ, are the same, or overlap in one")
    func many() {
        func count(_ topics: (Int64) -> [String]) -> Int {
            let files = (Int64(0)..<3_000).map { number in
                CheckSample.file("\(number)", CheckSample.certificate(topics(number), left: number))
            }
            let report = Checker(now: CheckSample.now).check(files)
            return report.files.count { $0.certificates[0].isSuperseded }
        }
        #expect(count { ["\($0)"] } == 0)
        #expect(count { _ in ["a", "b"] } == 2_999)
        #expect(count { ["a", "\($0 / 2)"] } == 1_500)
        #expect(count { ["a", "\($0 % 100)", "x\($0 / 100)"] } == 0)
    }
}
