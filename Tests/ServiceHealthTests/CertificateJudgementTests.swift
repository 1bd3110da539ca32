import ACME
import ServiceHealth
import TestSupport
import Testing

@Suite("The judgement of a certificate")
struct CertificateJudgementTests {
    typealias Situation = CertificateSituation

    private static func expected(_ situation: Situation) -> (CertificateJudgement.State, HealthSeverity) {
        let days = situation.days
        switch (situation.renewer, situation.stage) {
        case (_, .fresh), (.server, .due): return (.ok, .ok)
        case (_, .expired): return (.expired, .critical)
        case (_, .notYetValid): return (.notYetValid, .critical)
        case (.server, .overdue): return (.renewalOverdue, .warning)
        case (.server, .failing), (.server, .backoff): return (.renewalFailed, .warning)
        case (.server, .blocked): return (.blocked, .critical)
        // A day is a sixth of six days.
        case (.server, .dayLeft): return (.renewalOverdue, days == 6 ? .warning : .critical)
        case (.server, .dayLeftFailing): return (.renewalFailed, days == 6 ? .warning : .critical)
        case (.somebodyElse, .dayLeft), (.somebodyElse, .dayLeftFailing):
            return (.expires, days == 6 ? .warning : .critical)
        // A third of the lifetime is left, or half of six days: whoever renews it does so about then.
        case (.somebodyElse, .due), (.somebodyElse, .failing), (.somebodyElse, .backoff), (.somebodyElse, .blocked),
            (.somebodyElse, .overdue):
            return (.ok, .ok)
        }
    }

    @Test("every situation has one state and one severity", arguments: Situation.all)
    func table(_ situation: Situation) {
        let judgement = situation.judgement
        let (state, severity) = Self.expected(situation)
        #expect(judgement.state == state && judgement.severity == severity, "\(situation): \(judgement)")
        #expect((judgement.advice == nil) == (severity == .ok), "\(situation): \(judgement)")
        #expect(judgement.isServed == !(state == .expired || state == .notYetValid))
    }

    @Test("a certificate of somebody else: 30 and 7 days, a quarter and a tenth of a short lifetime")
    func ownThresholds() {
        for (days, warning, critical) in [
            (398, 30.0, 7.0), (90, 22.5, 7.0), (45, 11.25, 4.5), (6, 1.5, 0.6), (1, 0.25, 0.1),
        ] {
            func severity(_ left: Double) -> HealthSeverity {
                let end = Situation.now + Int64(left * 86_400)
                let validity = CertificateValidity(notBefore: end - Int64(days) * 86_400, notAfter: end)
                return CertificateJudgement(validity, .folder, of: "a.example", nil, now: Situation.now).severity
            }
            #expect(severity(warning) == .ok && severity(warning - 0.001) == .warning, "\(days)")
            #expect(severity(critical) == .warning && severity(critical - 0.001) == .critical, "\(days)")
        }
    }

    @Test(
        "a certificate that the server renews in its time is never anything but ok",
        arguments: [1, 6, 9, 10, 45, 90, 398] as [Int64])
    func noFalseAlarm(days: Int64) {
        let lifetime = days * 86_400
        // The server's times, and the latest that a CA's window may lead to.
        let times = [
            days < 10 ? lifetime / 20 * 9 : lifetime / 5 * 3, days < 10 ? lifetime / 2 : lifetime / 1_000 * 667,
            lifetime - min(lifetime / 10, 2 * 86_400),
        ]
        for time in times {
            for age in stride(from: 0, through: time + 600, by: Int64.Stride(lifetime / 500)) {
                let validity = CertificateValidity(
                    notBefore: Situation.now - age, notAfter: Situation.now - age + lifetime)
                var status = DomainStatus(age < time ? .valid : .renewing)
                status.nextRenewal = validity.notBefore + time
                let judgement = CertificateJudgement(validity, .acme, of: "a.example", status, now: Situation.now)
                #expect(judgement.state == .ok, "\(days) days, renewed after \(time), at \(age): \(judgement)")
            }
        }
    }

    @Test("a renewal that is late gets worse with the lifetime, and never better before it has come")
    func monotonic() {
        for days in Situation.lifetimes {
            for failure in [nil, IssuanceErrorType.caa] {
                var before = HealthSeverity.ok
                let lifetime = days * 86_400
                for age in stride(from: lifetime / 3 * 2, through: lifetime + 10, by: Int64.Stride(lifetime / 300)) {
                    let validity = CertificateValidity(
                        notBefore: Situation.now - age, notAfter: Situation.now - age + lifetime)
                    var status = DomainStatus(.backoff)
                    status.lastError = failure.map(Situation.error)
                    status.nextRenewal = validity.notBefore + lifetime / 3 * 2
                    let severity =
                        CertificateJudgement(validity, .acme, of: "a.example", status, now: Situation.now).severity
                    #expect(severity >= before)
                    before = severity
                }
                #expect(before == .critical)
            }
        }
    }

    @Test("without a certificate what is known of its order decides")
    func without() {
        func judge(_ status: DomainStatus?) -> CertificateJudgement {
            CertificateJudgement(withoutCertificateFor: "shop.example.com", status)
        }
        func status(_ state: DomainState, _ type: IssuanceErrorType? = nil) -> DomainStatus {
            var status = DomainStatus(state)
            status.lastError = type.map(Situation.error)
            return status
        }
        #expect(judge(nil).state == .missing && judge(nil).severity == .critical)
        #expect(judge(status(.excluded)).state == .missing)
        for state in [DomainState.waiting, .ordering] {
            #expect(judge(status(state)).state == .awaited && judge(status(state)).severity == .warning)
            #expect(judge(status(state, .dns)).state == .orderFailed)
        }
        #expect(judge(status(.backoff, .dns)).severity == .critical)
        #expect(judge(status(.backoff, .dns)).clause == "no certificate: the last order failed: dns")
        #expect(judge(status(.blocked, .acmeName)).state == .blocked)
        #expect(judge(status(.blocked, .acmeName)).clause == "no certificate: it cannot be ordered: acme-name")
        #expect(judge(status(.waiting)).clause == "no certificate yet: the server gets one")
    }

    @Test("a certificate of somebody else that the server replaces before its end is not critical")
    func replaced() {
        let validity = CertificateValidity(notBefore: Situation.now - 85 * 86_400, notAfter: Situation.now + 5 * 86_400)
        let covered = CertificateJudgement(
            validity, .folder, of: "a.example", DomainStatus(.covered), now: Situation.now)
        #expect(covered.state == .expires && covered.severity == .warning)
        #expect(covered.advice?.contains("the server orders one of its own") == true)
        let alone = CertificateJudgement(
            validity, .folder, of: "a.example", DomainStatus(.excluded), now: Situation.now)
        #expect(alone.state == .expires && alone.severity == .critical)
        var failed = DomainStatus(.backoff)
        failed.lastError = Situation.error(.dns)
        let failing = CertificateJudgement(validity, .folder, of: "a.example", failed, now: Situation.now)
        #expect(failing.state == .renewalFailed && failing.severity == .critical)
    }

    @Test("a certificate of ACME that nobody renews any more is judged by its time")
    func abandoned() {
        let validity = CertificateValidity(
            notBefore: Situation.now - 80 * 86_400, notAfter: Situation.now + 10 * 86_400)
        let judgement = CertificateJudgement(validity, .acme, of: "a.example", nil, now: Situation.now)
        #expect(judgement.state == .expires && judgement.summary == "expires in 10 days (2026-12-01)")
    }

    @Test("the advice about a late renewal depends on whether a server runs that orders certificates")
    func unattended() {
        func advice(_ stage: Situation.Stage, isUnattended: Bool) -> String? {
            let situation = Situation(renewer: .server, days: 90, stage: stage)
            var status = situation.status
            status?.isUnattended = isUnattended
            return CertificateJudgement(
                situation.validity, .acme, of: "shop.example.com", status, now: Situation.now
            ).advice
        }
        for stage in [Situation.Stage.overdue, .dayLeft, .expired] {
            #expect(advice(stage, isUnattended: true) == "start the server that orders certificates")
            #expect(
                advice(stage, isUnattended: false)
                    == "see the log of the server that orders certificates; 'aasa certificates --renew shop.example.com' "
                    + "renews it now")
        }
        #expect(
            advice(.failing, isUnattended: true)
                == "correct the cause (unauthorized), then start the server that orders certificates")
        #expect(advice(.failing, isUnattended: false)?.contains("the server tries again") == true)
        var waiting = DomainStatus(.waiting)
        (waiting.lastError, waiting.isUnattended) = (Situation.error(.unavailable), true)
        #expect(
            CertificateJudgement(withoutCertificateFor: "shop.example.com", waiting).advice
                == "correct the cause (unavailable), then start the server that orders certificates")
    }

    @Test("where somebody has to act because the end is near, the message says when that is")
    func nearEnd() {
        func summary(_ stage: Situation.Stage, days: Int64) -> String {
            Situation(renewer: .server, days: days, stage: stage).judgement.summary
        }
        #expect(summary(.dayLeftFailing, days: 90) == "was not renewed: dns, expires in 1 day (2026-11-22)")
        #expect(
            summary(.dayLeft, days: 90) == "was due for renewal on 2026-10-23, expires in 1 day (2026-11-22)")
        #expect(summary(.dayLeftFailing, days: 6) == "was not renewed: dns")
    }

    @Test("a certificate that nobody is presented needs nobody")
    func unused() {
        let validity = CertificateValidity(notBefore: 0, notAfter: Situation.now - 1)
        let judgement = CertificateJudgement.unused(validity, now: Situation.now)
        #expect(judgement.severity == .ok && judgement.summary == "not used, expired on 2026-11-21")
    }

    @Test(
        "the time that is left, as people say it",
        arguments: [
            (62 * 86_400 + 5, "62 days"), (86_400, "1 day"), (86_399, "23 hours"), (3_600, "1 hour"),
            (3_599, "less than an hour"),
        ] as [(Int64, String)])
    func timeLeft(left: Int64, expected: String) {
        #expect(
            CertificateValidity(notBefore: 0, notAfter: Situation.now + left).timeLeft(at: Situation.now) == expected)
    }

    @Test("exit codes follow from the severity")
    func codes() {
        #expect(HealthSeverity.allCases.map { $0.exitCode(isStrict: false) } == [0, 0, 1])
        #expect(HealthSeverity.allCases.map { $0.exitCode(isStrict: true) } == [0, 1, 1])
        #expect(HealthSeverity.allCases.map { $0.pluginCode(isStrict: false) } == [0, 1, 2])
        #expect(HealthSeverity.allCases.map { $0.pluginCode(isStrict: true) } == [0, 2, 2])
    }
}
