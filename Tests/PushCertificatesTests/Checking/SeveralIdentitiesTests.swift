import Diagnostics
import PushCertificates
import Testing

@Suite("Files with several certificates")
struct SeveralIdentitiesTests {
    private static let day = CheckSample.day
    private static let year = 365 * day

    private static func old(_ left: Int64, key: KeyPresence = .matching) -> PushCertificate {
        CheckSample.certificate(left: left, key: key, sha256: "1")
    }

    private static func new(_ left: Int64 = year, key: KeyPresence = .matching) -> PushCertificate {
        CheckSample.certificate(left: left, key: key, sha256: "2")
    }

    @Test("One that mixes what is valid with what is not replaces nothing elsewhere")
    func offer() {
        let report = CheckSample.report(
            CheckSample.file("both", Self.old(-Self.day), Self.new()),
            CheckSample.file("alone", CheckSample.certificate(left: 5 * Self.day, sha256: "3")))
        #expect(report.files.map(\.status) == [.critical, .critical])
        #expect(report.files[1].certificates[0].supersededBy == nil)
        #expect(report.files[0].certificates.map(\.isUnusable) == [true, true])
    }

    @Test("One with two valid certificates replaces the old one of another file, and none of its own")
    func twoValid() {
        let report = CheckSample.report(
            CheckSample.file("both", Self.old(20 * Self.day), Self.new()),
            CheckSample.file("alone", CheckSample.certificate(left: 5 * Self.day, sha256: "3")))
        #expect(report.files.map(\.status) == [.warning, .ok])
        #expect(report.files[0].certificates.map(\.isSuperseded) == [false, false])
        #expect(report.files[1].certificates[0].supersededBy == CertificateReference(path: "both", index: 1))
    }

    @Test("Of equal offers that of another file counts, whatever the order", arguments: [false, true])
    func equalOffers(isFirst: Bool) {
        let both = CheckSample.file("both", Self.old(20 * Self.day), Self.new(Self.year + 1))
        let other = CheckSample.file("other", CheckSample.certificate(left: Self.year, sha256: "3"))
        let report = Checker(now: CheckSample.now).check(isFirst ? [other, both] : [both, other])
        let check = report.files[isFirst ? 1 : 0]
        #expect(check.certificates[0].supersededBy == CertificateReference(path: "other", index: 0))
        // The newer one is in no other file.
        #expect(check.codes.first == "several-identities:warning" && check.status == .warning)
    }

    @Test("Nothing is needed of one whose certificates are in other files, for as long", arguments: [-1, 0, 1])
    func covered(more: Int64) {
        let report = CheckSample.report(
            CheckSample.file("both", Self.old(-Self.day), Self.new()),
            CheckSample.file("alone", CheckSample.certificate(left: Self.year + more, sha256: "3")))
        #expect(report.status == (more < 0 ? .critical : .ok))
        #expect(report.files[0].codes.first == "several-identities:\(more < 0 ? "critical" : "note")")
    }

    static let severities: [([PushCertificate], String?)] = [
        ([old(year), new()], "warning"), ([old(-1), new()], "critical"), ([new(), old(-1)], "critical"),
        ([old(year, key: .none), new()], "critical"), ([new(), old(year, key: .none)], "warning"),
        ([old(year, key: .none), new(key: .none)], "note"), ([old(-1, key: .none), new(key: .none)], "critical"),
        ([old(year), old(year)], nil), ([old(year), CheckSample.authority(left: year)], nil),
    ]

    @Test(
        "The first one of a PEM file is what is sent with; one that is not valid is critical anywhere",
        arguments: severities)
    func severity(certificates: [PushCertificate], expected: String?) {
        let file = (
            "a", Result<CertificateFile, CertificateFileError>.success(CertificateFile(certificates: certificates))
        )
        let codes = Checker(now: CheckSample.now).check([file]).files[0].codes
        let found = codes.first { $0.hasPrefix("several-identities:") }
        #expect(found == expected.map { "several-identities:\($0)" })
    }

    @Test("The expected topic is one of those given, by its bytes")
    func topics() {
        func status(_ topics: String...) -> CheckStatus {
            Checker(now: CheckSample.now, expectedTopics: topics).check([CheckSample.file("a", Self.new())]).status
        }
        #expect(status() == .ok)
        #expect(status("com.example.app") == .ok)
        #expect(status("x", "com.example.app") == .ok)
        #expect(status("com.example.App") == .critical)
        #expect(
            Checker(now: CheckSample.now, expectedTopics: ["x"]).check([CheckSample.file("a", CheckSample.tokenKey)])
                .status == .ok)
    }
}
