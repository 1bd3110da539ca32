import Diagnostics
import PushCertificates
import Testing

@Suite("Judging files")
struct CheckerTests {
    static let soon = CheckSample.file("soon", CheckSample.certificate(left: 20 * CheckSample.day))
    static let good = CheckSample.file(
        "good", CheckSample.certificate(["com.example.other"], left: 200 * CheckSample.day))
    static let expired = CheckSample.file("expired", CheckSample.certificate(["com.example.third"], left: -1))
    static let bad = CheckSample.failure("bad", .corrupt, "it is cut off", advice: "download it again")

    @Test("The worst of a run is critical, then unknown, then warning, then ok")
    func worst() {
        #expect(CheckSample.report().status == .ok)
        #expect(CheckSample.report(Self.good).exitCode() == 0)
        #expect(CheckSample.report(Self.good, Self.soon).exitCode() == 1)
        #expect(CheckSample.report(Self.soon, Self.bad, Self.good).exitCode() == 3)
        #expect(CheckSample.report(Self.bad, Self.expired, Self.soon).exitCode() == 2)
    }

    @Test("A file with an error has nothing but that")
    func error() {
        let file = CheckSample.report(Self.bad).files[0]
        #expect(file.path == "bad")
        #expect(file.status == .unknown)
        #expect(file.error == CertificateFileError(.corrupt, "it is cut off", advice: "download it again"))
        #expect(file.certificates.isEmpty)
        #expect(file.findings.isEmpty)
    }

    @Test("Findings change the exit code only if they are asked to")
    func strict() {
        let warning = CheckSample.finding("no-private-key", .warning, "no key")
        let note = CheckSample.finding("no-mac", .note, "no MAC")
        let certificate = CheckSample.certificate(left: 200 * CheckSample.day)
        let warned = CheckSample.report(CheckSample.file("a", certificate, findings: [warning]))
        #expect(warned.exitCode() == 0)
        #expect(warned.exitCode(isStrict: true) == 1)
        #expect(warned.status(isStrict: true) == .warning)
        let noted = CheckSample.report(CheckSample.file("a", certificate, findings: [note]))
        #expect(noted.exitCode(isStrict: true) == 0)
        let unknown = CheckSample.report(CheckSample.file("a", certificate, findings: [warning]), Self.bad)
        #expect(unknown.exitCode(isStrict: true) == 3)
    }

    @Test("A certificate without its key is critical, whatever the time, unless a newer one replaces it")
    func unusable() {
        let missing = CheckSample.finding("no-private-key", .critical, "com.example.app has no private key")
        let lonely = CheckSample.certificate(left: 200 * CheckSample.day, key: .none)
        let report = CheckSample.report(
            CheckSample.file("lonely", lonely, findings: [missing]),
            CheckSample.file("good", CheckSample.certificate(["com.example.other"], left: 200 * CheckSample.day)))
        #expect(report.exitCode() == 2 && report.status == .critical)
        #expect(report.files.map(\.status) == [.critical, .ok])
        #expect(report.files[0].certificates.map(\.isUnusable) == [true])
        #expect(report.files[0].certificates.map(\.daysLeft) == [200])
        #expect(report.files[0].codes == ["no-private-key:critical"])

        let old = CheckSample.certificate(left: 5 * CheckSample.day, key: .none)
        let replaced = CheckSample.report(
            CheckSample.file("old", old, findings: [missing]),
            CheckSample.file("new", CheckSample.certificate(left: 200 * CheckSample.day)))
        #expect(replaced.exitCode() == 0)
        #expect(replaced.files[0].codes == ["expires-soon:note", "superseded:note", "no-private-key:note"])
    }

    @Test("Findings stand by certificate, then by severity, those of the whole file first")
    func order() {
        let own = [
            CheckSample.finding("weak-signature", .note, "a", certificate: 1),
            CheckSample.finding("not-apple-issued", .warning, "b", certificate: 1),
            CheckSample.finding("no-mac", .note, "c", certificate: nil),
            CheckSample.finding("weak-key", .warning, "d", certificate: 0),
        ]
        let file = CheckSample.file(
            "a", CheckSample.certificate(["x"], left: 5), CheckSample.certificate(["y"], left: 5), findings: own)
        #expect(
            CheckSample.report(file).files[0].codes == [
                "no-mac:note", "expires-soon:critical", "weak-key:warning", "expires-soon:critical",
                "not-apple-issued:warning", "weak-signature:note",
            ])
    }

    @Test("A CA beside others does not count, and says so only once it has expired")
    func authorityBesideOthers() {
        let leaf = CheckSample.certificate(left: 200 * CheckSample.day)
        let file = CheckSample.report(
            CheckSample.file("a", leaf, CheckSample.authority(left: -1), CheckSample.authority(left: 0))
        ).files[0]
        #expect(file.status == .ok)
        #expect(file.certificates.map(\.status) == [.ok, .ok, .ok])
        #expect(file.certificates.map(\.counts) == [true, false, false])
        #expect(file.certificates.map(\.daysLeft) == [200, -1, 0])
        #expect(file.codes == ["ca-expired:note"])
        #expect(file.findings.first?.certificate == 1)
    }

    @Test("CAs alone in a file count")
    func authorityAlone() {
        let file = CheckSample.report(
            CheckSample.file("a", CheckSample.authority(left: -1), CheckSample.authority(left: 400 * CheckSample.day))
        ).files[0]
        #expect(file.status == .critical)
        #expect(file.certificates.map(\.counts) == [true, true])
        #expect(file.codes == ["expired:critical"])
    }

    @Test("A token key is ok for ever")
    func tokenKey() {
        let file = CheckSample.report(CheckSample.file("a", CheckSample.tokenKey)).files[0]
        #expect(file.status == .ok)
        #expect(file.certificates[0].daysLeft == nil)
        #expect(!file.certificates[0].counts)
        #expect(file.codes.isEmpty)
    }

    static let adviceCases: [(CertificateKind, String, String)] = [
        (.applePushServices, "then revoke the old one (never before)", "same Apple ID"),
        (.passTypeID, "then revoke the old one (never before)", "same Apple ID"),
        (.mdm, "with the same Apple ID", "revoke"),
        (.ca, "https://www.apple.com/certificateauthority/", "revoke"),
        (.notPush, "with its issuer", "revoke"),
    ]

    @Test("What to do about an end depends on the kind", arguments: adviceCases)
    func advice(kind: CertificateKind, has: String, hasNot: String) {
        for left in [-5, 5 * CheckSample.day, 20 * CheckSample.day] {
            let certificate = CheckSample.certificate(left: left, kind: kind)
            let message = CheckSample.report(CheckSample.file("a", certificate)).files[0].findings.first?.sentence ?? ""
            #expect(message.contains(has))
            #expect(!message.contains(hasNot))
        }
    }

    @Test("An issuer's end is a note, from its last second on", arguments: [(Int64(-1), true), (0, false)])
    func issuer(left: Int64, isThere: Bool) {
        let certificate = CheckSample.certificate(left: 200 * CheckSample.day, issuerEnd: CheckSample.now + left)
        let file = CheckSample.report(CheckSample.file("a", certificate)).files[0]
        #expect(file.codes == (isThere ? ["issuer-expired:note"] : []))
        #expect(file.status == .ok)
    }

    @Test("A clock before G4 is suspicious, and it is said once, with the first file that can be read")
    func clock() {
        let start: Int64 = 1_608_147_364
        func codes(_ now: Int64) -> [[String]] {
            CheckSample.report(
                Self.bad, CheckSample.file("a", CheckSample.tokenKey), CheckSample.file("b", CheckSample.tokenKey),
                now: now
            ).files.map(\.codes)
        }
        #expect(codes(start) == [[], [], []])
        #expect(codes(start - 1) == [[], ["clock-suspicious:warning"], []])
        #expect(codes(0) == [[], ["clock-suspicious:warning"], []])
    }
}
