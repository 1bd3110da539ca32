import Diagnostics
import PushCertificates
import Testing

@Suite("Time and status")
struct ValidityTests {
    static let endsCases: [(left: Int64, status: CheckStatus, days: Int)] = [
        (31 * 86_400, .ok, 31),
        (30 * 86_400 + 1, .ok, 30),
        (30 * 86_400, .warning, 30),
        (30 * 86_400 - 1, .warning, 29),
        (14 * 86_400 + 1, .warning, 14),
        (14 * 86_400, .critical, 14),
        (86_400, .critical, 1),
        (86_399, .critical, 0),
        (1, .critical, 0),
        (0, .critical, 0),
        (-1, .critical, -1),
        (-86_400, .critical, -1),
        (-86_401, .critical, -2),
    ]

    @Test("The status and the days left change in one second", arguments: endsCases)
    func ends(left: Int64, status: CheckStatus, days: Int) {
        let report = CheckSample.report(CheckSample.file("a", CheckSample.certificate(left: left)))
        #expect(report.files[0].certificates[0].status == status)
        #expect(report.files[0].certificates[0].daysLeft == days)
        #expect(report.files[0].status == status)
        #expect(report.status == status)
        let codes: [String] =
            switch (left, status) {
            case (..<0, _): ["expired:critical"]
            case (_, .critical): ["expires-soon:critical"]
            case (_, .warning): ["expires-soon:warning"]
            default: []
            }
        #expect(report.files[0].codes == codes)
    }

    static let beginsCases: [(begin: Int64, codes: [String], isClock: Bool)] = [
        (0, [], false),
        (1, ["not-yet-valid:critical"], true),
        (300, ["not-yet-valid:critical"], true),
        (301, ["not-yet-valid:critical"], false),
    ]

    @Test("The first second counts, and a beginning within five minutes blames the clock", arguments: beginsCases)
    func begins(begin: Int64, codes: [String], isClock: Bool) {
        let certificate = CheckSample.certificate(left: 365 * CheckSample.day, begin: begin)
        let file = CheckSample.report(CheckSample.file("a", certificate)).files[0]
        #expect(file.codes == codes)
        #expect(file.status == (codes.isEmpty ? .ok : .critical))
        #expect(file.findings.contains { $0.sentence.contains("; check the clock") } == isClock)
    }

    @Test("A certificate that begins late and ends soon has both said")
    func lateAndShort() {
        let certificate = CheckSample.certificate(left: 20 * CheckSample.day, begin: CheckSample.day)
        let file = CheckSample.report(CheckSample.file("a", certificate)).files[0]
        #expect(file.codes == ["not-yet-valid:critical", "expires-soon:warning"])
        #expect(file.status == .critical)
    }

    @Test("A certificate that ends before it begins is critical for that alone", arguments: [-30, 5, 100])
    func reversed(days: Int64) {
        let certificate = CheckSample.certificate(left: days * CheckSample.day, begin: 365 * CheckSample.day)
        let file = CheckSample.report(CheckSample.file("a", certificate)).files[0]
        #expect(file.codes == ["validity-reversed:critical"])
        #expect(file.status == .critical)
        #expect(file.certificates[0].daysLeft == Int(days))
    }

    static let absurdCases: [(now: Int64, notBefore: Int64, notAfter: Int64, status: CheckStatus)] = [
        (.min, 0, 253_402_300_799, .critical),
        (.max, 0, 253_402_300_799, .critical),
        (.min, .min, .max, .ok),
        (.max, .min, .max, .critical),
        (0, .min, .min, .critical),
        (0, .max, .min, .critical),
    ]

    @Test("No date is too absurd", arguments: absurdCases)
    func absurd(now: Int64, notBefore: Int64, notAfter: Int64, status: CheckStatus) {
        let certificate = PushCertificate(kind: .notPush, notBefore: notBefore, notAfter: notAfter, key: .none)
        let report = CheckSample.report(CheckSample.file("a", certificate), now: now)
        #expect(report.status == status)
        #expect(!JSONReport().render(report).isEmpty)
        #expect(!PrometheusReport().render(report).isEmpty)
        #expect(!NagiosReport().render(report).isEmpty)
    }

    static let thresholdsCases: [(Thresholds, CheckStatus)] = [
        (Thresholds(warning: 0, critical: 0), .ok),
        (Thresholds(warning: 20, critical: 0), .warning),
        (Thresholds(warning: 20, critical: 20), .critical),
        (Thresholds(warning: .max, critical: 0), .warning),
        (Thresholds(warning: .max, critical: .max), .critical),
        (Thresholds(warning: .min, critical: .min), .ok),
    ]

    @Test("Thresholds are what the caller wants, and never too large", arguments: thresholdsCases)
    func thresholds(thresholds: Thresholds, status: CheckStatus) {
        let file = CheckSample.file("a", CheckSample.certificate(left: 20 * CheckSample.day))
        #expect(CheckSample.report(file, thresholds: thresholds).status == status)
    }

    static let spansCases: [(Int64, String)] = [
        (0, "in less than a minute"), (59, "in less than a minute"), (60, "in 1 min"), (3599, "in 59 min"),
        (3600, "in 1 h"), (86_399, "in 23 h"), (86_400, "in 1 day"), (172_800, "in 2 days"),
        (-1, "less than a minute ago"),
        (-10_800, "3 h ago"), (-5 * 86_400, "5 days ago"), (315_576_000, "in 10 years"),
        (.min, "292271023045 years ago"),
    ]

    @Test("Spans are said as people do", arguments: spansCases)
    func spans(seconds: Int64, text: String) {
        #expect(TimeSpan(seconds: seconds).fromNow == text)
    }
}
