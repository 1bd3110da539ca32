import ACME
import Diagnostics
import DomainNames
import FuzzingSupport
import TestSupport

/// A plan and what it is made of, with the test in place of the CA and the clock.
struct PlanWorld {
    var settings: IssuanceSettings
    var situation = IssuancePlan.Situation(now: 1_800_000_000)
    var state = IssuanceState()
    var random = SplitMix64(seed: 7)
    var plan: IssuancePlan
    /// The number of windows that were reported as no instruction.
    var refusals = 0

    static let day: Int64 = 86_400

    init(_ sites: [String] = ["shop.example.com"]) {
        settings = Samples.settings()
        situation.sites = sites.map(Samples.domain)
        plan = IssuancePlan(settings, situation, state: &state, random: &random)
    }

    var now: Int64 {
        get { situation.now }
        set { situation.now = newValue }
    }

    mutating func look() { plan = IssuancePlan(settings, situation, state: &state, random: &random) }

    func status(_ name: String = "shop.example.com") throws -> DomainStatus {
        guard let status = plan.statuses[Samples.domain(name)] else { throw TestFailure("no status of \(name)") }
        return status
    }

    func state(_ name: String = "shop.example.com") throws -> DomainState { try status(name).state }

    var ordered: [String] { plan.orders.map(\.domain.identifier) }

    /// Days from now.
    mutating func install(
        _ name: String = "shop.example.com", from start: Int64 = -1, to end: Int64 = 89,
        directory: SecureURL = Samples.directoryURL, fingerprint: String = "f1"
    ) {
        situation.certificates.append(
            InstalledCertificate(
                source: .acme(Samples.domain(name), directory: directory.description), fingerprint: fingerprint,
                names: [name], notBefore: now + start * Self.day, notAfter: now + end * Self.day,
                certificateID: CertificateID(keyIdentifier: [1], serialNumber: Array(fingerprint.utf8))))
    }

    mutating func put(_ names: [String], from start: Int64 = -1, to end: Int64 = 89) {
        situation.certificates.append(
            InstalledCertificate(
                source: .folder, fingerprint: "own", names: names, notBefore: now + start * Self.day,
                notAfter: now + end * Self.day, certificateID: nil))
    }

    mutating func fail(
        _ name: String = "shop.example.com", _ type: IssuanceErrorType = .unauthorized,
        scope: IssuanceError.Scope = .domain, challenge: ChallengeType? = nil, keepsOrder: Bool = false,
        retryAfter: Int64? = nil
    ) {
        let error = IssuanceError(type, "no", scope: scope, retryAfter: retryAfter)
        state.orderFailed(
            Samples.domain(name), OrderFailure(error: error, keepsOrder: keepsOrder, challenge: challenge), now: now,
            random: &random)
    }

    /// - Parameter question: the question that is answered; one about the first certificate if there is none.
    mutating func answer(
        _ window: Range<Int64>?, pause: String = "3600", to question: IssuancePlan.Question? = nil
    ) -> Bool {
        let text = window.map {
            #"{"suggestedWindow":{"start":"\#(time($0.lowerBound))","end":"\#(time($0.upperBound))"}}"#
        }
        let id = CertificateID(keyIdentifier: [1], serialNumber: [2])
        let first = IssuancePlan.Question(
            domain: Samples.domain, fingerprint: "f1", certificate: id,
            earliestWindow: situation.certificates.first { $0.fingerprint == "f1" }?.earliestWindow ?? 0)
        let change = state.renewalAnswered(
            question ?? first, RenewalAnswer(.json(200, text ?? "", ["Retry-After": pause]), now: now), now: now,
            random: &random)
        refusals += change == .refused ? 1 : 0
        return change == .moved
    }

    private func time(_ seconds: Int64) -> String {
        let status = RecordedError(at: seconds, type: .other, message: "").json.text
        return String(status.split(separator: "\"")[3])
    }
}
