import ACME
import AssociationServer
import Diagnostics
import ServiceHealth
import Testing

@Suite("The end of certificates in the log")
struct ExpiryNoticesTests {
    private static let day: Int64 = 86_400
    /// 2026-11-21, 12:00.
    private static let end: Int64 = 1_795_262_400

    private func certificate(
        _ number: Int = 0, names: [String] = ["example.com"], end: Int64 = end, lifetime: Int64 = 398,
        source: CertificateSource = .folder, status: DomainStatus? = nil, now: Int64
    ) -> ExpiryNotices.Certificate {
        let validity = CertificateValidity(notBefore: end - lifetime * Self.day, notAfter: end)
        return ExpiryNotices.Certificate(
            path: "certs/\(number)/fullchain.pem", names: names, validity: validity,
            judgement: CertificateJudgement(validity, source, of: names.first ?? "", status, now: now),
            digest: [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
    }

    @Test(
        "the line says what ends when",
        arguments: [
            (29 * day, "expires in 29 days (2026-11-21)"), (13 * day + 5, "expires in 13 days (2026-11-21)"),
            (day + 1, "expires in 1 day (2026-11-21)"), (day - 1, "expires in 23 hours (2026-11-21)"),
            (3_599, "expires in less than an hour (2026-11-21)"), (-1, "expired on 2026-11-21"),
        ])
    func wording(left: Int64, expected: String) {
        var notices = ExpiryNotices()
        let now = Self.end - left
        let found = notices.look(at: [certificate(now: now)], now: now)
        let advice = "help: renew it now, and find out why it was not renewed automatically"
        #expect(
            found.map(\.logLine) == ["certs/0/fullchain.pem: the certificate for example.com \(expected); \(advice)"])
        #expect(found.map(\.severity) == [left < 7 * Self.day ? .error : .warning])
    }

    @Test("a certificate with several names is called by the first; what cannot be seen is escaped")
    func names() {
        var notices = ExpiryNotices()
        let now = Self.end - Self.day
        let certificates = [
            certificate(0, names: ["a.example", "b.example", "c.example"], now: now),
            certificate(1, names: ["a\nb"], now: now),
        ]
        let lines = notices.look(at: certificates, now: now).map(\.description)
        #expect(lines[0].contains("for a.example and 2 other names expires"))
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }

    @Test("one line for each threshold, by days or by parts of a short lifetime, however often it is looked")
    func thresholds() {
        func hours(lifetime: Int64) -> [Int64] {
            var notices = ExpiryNotices()
            var hours: [Int64] = []
            for left in stride(from: min(40, lifetime) * 24, through: -5, by: -1) {
                let now = Self.end - left * 3_600
                let found = notices.look(at: [certificate(lifetime: lifetime, now: now)], now: now)
                if !found.isEmpty { hours.append(left) }
                #expect(found.count <= 1)
            }
            return hours
        }
        #expect(hours(lifetime: 398) == [719, 335, 167, 23, -1])
        #expect(hours(lifetime: 6) == [35, 17, 14, 7, -1])
    }

    @Test("a renewal is logged when it is overdue, and when somebody has to act; its failures have lines of their own")
    func renewals() {
        var notices = ExpiryNotices()
        func look(_ state: DomainState, _ type: IssuanceErrorType?, left: Int64) -> [Severity] {
            var status = DomainStatus(state)
            let now = Self.end - left * Self.day
            status.lastError = type.map { RecordedError(at: now, type: $0, message: "because") }
            status.nextRenewal = Self.end - 30 * Self.day
            let one = certificate(lifetime: 90, source: .acme, status: status, now: now)
            return notices.look(at: [one], now: now).map(\.severity)
        }
        #expect(look(.valid, nil, left: 60) == [])
        #expect(look(.waiting, nil, left: 29) == [])
        #expect(look(.waiting, nil, left: 20) == [.warning])
        #expect(look(.waiting, nil, left: 19) == [])
        #expect(look(.backoff, .dns, left: 18) == [])
        #expect(look(.backoff, .dns, left: 8) == [.error])
        #expect(look(.backoff, .dns, left: 7) == [])
        #expect(look(.backoff, .dns, left: -1) == [.error])
    }

    @Test("whoever comes late says the last threshold only")
    func late() {
        var notices = ExpiryNotices()
        for (left, count) in [(6, 1), (5, 0)] as [(Int64, Int)] {
            let now = Self.end - left * Self.day
            #expect(notices.look(at: [certificate(now: now)], now: now).count == count)
        }
    }

    @Test("new certificates are looked at once, and those that the server renews are left to the next look")
    func new() {
        var notices = ExpiryNotices()
        func lookAtNew(_ now: Int64, _ make: (Int64) -> [ExpiryNotices.Certificate]) -> [LocatedDiagnostic] {
            notices.lookAtNew(make(now), now: now)
        }
        func both(_ now: Int64) -> [ExpiryNotices.Certificate] {
            [certificate(now: now), certificate(1, end: Self.end + 5 * Self.day, now: now)]
        }
        #expect(
            lookAtNew(Self.end + 1, both).map(\.path) == ["certs/0/fullchain.pem", "certs/1/fullchain.pem"])
        #expect(lookAtNew(Self.end + 2, both).isEmpty)
        #expect(notices.look(at: both(Self.end + 3), now: Self.end + 3).isEmpty)
        let late = lookAtNew(Self.end - 20 * Self.day) {
            both($0) + [certificate(2, lifetime: 90, source: .acme, status: DomainStatus(.waiting), now: $0)]
        }
        #expect(late.isEmpty)
    }

    @Test("a clock that jumps makes no storm, and nothing is lost when it is right again")
    func jumps() {
        var notices = ExpiryNotices()
        let now = Self.end - 60 * Self.day
        func all(_ now: Int64) -> [ExpiryNotices.Certificate] { (0..<10_000).map { certificate($0, now: now) } }
        #expect(notices.look(at: all(now), now: now).isEmpty)
        let later = now + 100 * Self.day
        let storm = notices.look(at: all(later), now: later)
        #expect(storm.count == ExpiryNotices.mostAtOnce + 1)
        #expect(storm.last?.message.contains("9,979 more") == true)
        #expect(notices.look(at: all(later), now: later).isEmpty)
        #expect(notices.look(at: all(now), now: now).isEmpty)
        let near = Self.end - 29 * Self.day
        #expect(notices.look(at: [certificate(now: near)], now: near).count == 1)
    }
}
