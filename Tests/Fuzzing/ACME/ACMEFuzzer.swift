import ACME
import DomainNames
import FuzzingSupport
import OpenSSL
import PushSamples
import SystemSupport
import TLSSamples

/// The messages that a CA can send.
package enum ACMEFuzzTarget: String, CaseIterable, Sendable {
    case problem, directory, order, authorization, renewal, chain, retryAfter, links, state, account
    /// Whole orders, and whole registrations, with a CA that says anything.
    case conversation, registration
    /// Weeks of renewals with a CA that suggests any time.
    case renewals

    package static func of(_ number: Int) -> ACMEFuzzTarget { allCases[number % allCases.count] }
}

/// Gives the readers of a CA's answers, and whole orders, mutated input.
package struct ACMEFuzzer {
    private let seeds: [ACMEFuzzTarget: [[UInt8]]]
    private let mutator: JSONMutator
    private let seed: UInt64
    private let context: LibraryContext
    private let directory: Directory
    private let directoryURL: SecureURL
    private let settings: IssuanceSettings
    private let accountKey: AccountKey
    private let key: PrivateKey
    private let domain: Domain
    /// The number of times that a target took its input, and that it refused it.
    package private(set) var outcomes: [String: Int] = [:]

    private static let base = "https://ca.example.net"
    private static let now: Int64 = SampleSite.now

    package struct SetUpError: Error {}

    package init(seed: UInt64) throws {
        self.seed = seed
        context = try LibraryContext()
        directory = try Directory(Array(Self.directoryText.utf8))
        key = try SampleKey.p256(301).privateKey()
        var configuration = ACMEConfiguration()
        configuration.directory = .other(Self.base + "/d")
        guard let domain = Domain("shop.example.com"), let key = AccountKey(try SampleKey.p256(300).privateKey()),
            let settings = IssuanceSettings(configuration, folder: "/certs", answerable: [.http01])
        else { throw SetUpError() }
        self.settings = settings
        directoryURL = settings.authority.directory
        self.domain = domain
        accountKey = key
        let chain =
            try SampleSite.leaf(["shop.example.com"], key: .p256(301)).pem()
            + SampleSite.intermediate.certificate.pem()
        let problem = Self.problem
        seeds = [
            .problem: [problem], .directory: [Self.directoryText],
            .order: [Self.order("pending"), Self.order("valid"), Self.order("invalid")],
            .authorization: [Self.authorization("pending"), Self.authorization("valid")], .renewal: [Self.renewal],
            .chain: [chain],
            .retryAfter: [
                "120", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            ],
            .links: [#"<\#(Self.base)/1>;rel="alternate";title="a\"b", <\#(Self.base)/2>; rel=up"#],
            .state: [Self.state], .account: [Self.account, Self.account.replacing("ops", with: "")],
            .conversation: [
                problem, Self.order("pending"), Self.order("ready"), Self.order("processing"), Self.order("valid"),
                Self.authorization("pending"), Self.authorization("valid"), chain, "{}",
            ] + Self.refusals,
            .registration: [
                problem, Self.directoryText, #"{"status":"valid","contact":["mailto:a@b.c"]}"#,
                #"{"status":"deactivated"}"#, #"{"status":"valid"}"#, "{}", "",
            ] + Self.refusals,
        ].mapValues { $0.map { Array($0.utf8) } }
        mutator = JSONMutator(
            seeds: seeds.values.flatMap { $0 }.sorted { $0.count < $1.count },
            pieces: [
                "null", "true", "-1", "1e9", "[]", "{}", "\"\"", "https://", "http://a", "\\u0000", "\\ud800", "../",
                "pending", "valid", "invalid", "dns", "tls-alpn-01", "dns-persist-01", "urn:ietf:params:acme:error:",
                "-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n", "9999999999", "\u{202E}", "\u{1B}[2J",
                "2025-01-02T04:00:00Z", "9999-12-31T23:59:60+23:59",
            ])
    }

    /// - Returns: What was answered against the rules; nil if nothing was.
    package mutating func check(_ target: ACMEFuzzTarget, _ number: Int) -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
        switch target {
        case .conversation: return converse(&random)
        case .registration: return register(&random)
        case .renewals: return renew(&random)
        default: break
        }
        var bytes = random.pick(seeds[target] ?? [])
        for _ in 0..<random.number(0...4) { mutator.mutate(&bytes, &random) }
        do throws(IssuanceError) {
            let violation = try read(bytes, target)
            outcomes["\(target.rawValue) read", default: 0] += 1
            return violation
        } catch {
            outcomes["\(target.rawValue) refused", default: 0] += 1
            return Self.violation(in: error.message)
        }
    }

    private func read(_ bytes: [UInt8], _ target: ACMEFuzzTarget) throws(IssuanceError) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        switch target {
        case .problem: return Self.violation(in: try Problem(bytes).message + ".x")
        case .directory:
            let directory = try Directory(bytes)
            return directory.newOrder.description.hasPrefix("http://") ? "a URL without TLS" : nil
        case .order:
            let order = try Order(bytes, for: domain)
            return order.status == .valid && order.certificate == nil ? "a valid order without a certificate" : nil
        case .authorization:
            let tokens = try Authorization(bytes, for: domain).challenges.compactMap(\.token)
            return tokens.contains { $0.contains("/") || $0.contains(".") } ? "a token that leaves its path" : nil
        case .renewal:
            let info = try RenewalInfo(bytes)
            return info.window.isEmpty ? "an empty window" : nil
        case .chain:
            let chain = try IssuedChain(pem: bytes, in: context)
            try chain.check(for: domain, key: key, now: Self.now)
            return try IssuedChain(pem: chain.pem, in: context).pem == chain.pem ? nil : "a chain that changes"
        case .retryAfter:
            guard let seconds = RetryAfter.seconds(text, now: 784_111_777) else { return nil }
            return (0...604_800).contains(seconds) ? nil : "\(seconds) seconds"
        case .links:
            let links = ACMEResponse(status: 200, fields: [("Link", text)]).links(relation: "alternate")
            return links.contains { !$0.description.lowercased().hasPrefix("https://") } ? "a link without TLS" : nil
        case .state:
            let state = try IssuanceState(json: bytes)
            let again = try IssuanceState(json: Array(state.json.utf8))
            return again == state ? plan(with: state) : "a state that changes"
        case .account:
            let account = try ACMEAccount(json: bytes, directory: directoryURL)
            return try ACMEAccount(json: Array(account.json.utf8), directory: directoryURL) == account
                ? nil : "an account that changes"
        case .conversation, .registration, .renewals: return nil
        }
    }

    /// Makes plans with a state that somebody has written, at any time.
    private func plan(with state: IssuanceState) -> String? {
        var state = state
        var random = SplitMix64(seed: UInt64(state.domains.count))
        var writer = IssuanceStateWriter()
        for now in [0, Self.now, 253_402_300_799] as [Int64] {
            var situation = IssuancePlan.Situation(now: now)
            situation.sites = [domain] + state.domains.keys
            situation.offersRenewalInfo = true
            situation.certificates = situation.sites.map { site in
                InstalledCertificate(
                    source: .acme(site, directory: directoryURL.description), fingerprint: "ab",
                    names: [site.identifier], notBefore: now - 1_000, notAfter: now + 1_000, certificateID: nil)
            }
            let plan = IssuancePlan(settings, situation, state: &state, random: &random)
            for status in plan.statuses.values {
                if let next = status.nextAttempt, next - now > RetryAfter.longest {
                    return "a pause of \(next - now) s"
                }
            }
            if let next = plan.nextChange, next <= now { return "a change that has been" }
            if String(decoding: writer.bytes(state), as: UTF8.self) != state.json { return "two texts of a state" }
        }
        return nil
    }

    /// A registration with a CA that says anything.
    private mutating func register(_ random: inout SplitMix64) -> String? {
        var settings = settings
        settings.configuration.contact = ["a@b.c"]
        if random.chance(20) { settings.configuration.profile = "a" }
        let stored = ACMEAccount(
            directory: directoryURL, url: directoryURL, contact: random.chance(50) ? ["a@b.c"] : [],
            termsOfService: nil, caaIdentities: [])
        var machine = AccountMachine(
            settings: settings, key: accountKey, stored: random.chance(50) ? stored : nil,
            directory: random.chance(50) ? directory : nil)
        var nonces = NoncePool()
        var now = Moment(wall: Self.now, uptime: .zero)
        var events: [AccountMachine.Event] = [.start]
        for step in 0..<500 {
            if machine.hasEnded {
                outcomes["registration ended", default: 0] += 1
                return nil
            }
            guard let event = events.popLast() else { return "a registration that waits for nothing" }
            for action in machine.handle(event, at: now, nonces: &nonces) {
                switch action {
                case .send(let request):
                    events.append(
                        random.chance(5)
                            ? .transportFailure(.unreachable("reset"), of: request.id)
                            : .response(response(.registration, step, &random), to: request.id))
                case .wait(let end):
                    if end <= now.uptime { return "a pause of no time" }
                    now.uptime = end
                    events.append(.time)
                case .ready(_, let account):
                    let read = try? ACMEAccount(json: Array(account.json.utf8), directory: directoryURL)
                    if read != account { return "an account that cannot be stored" }
                case .fail(let error):
                    if error.scope != .authority { return "a failure of one domain" }
                    if let violation = Self.violation(in: error.message) { return violation }
                }
            }
        }
        return "a registration without an end"
    }

    /// An order with a CA that says anything.
    private mutating func converse(_ random: inout SplitMix64) -> String? {
        guard let url = SecureURL(Self.base + "/account/1") else { return "no URL" }
        let account = ACMEAccount(directory: url, url: url, contact: [], termsOfService: nil, caaIdentities: ["a.b"])
        var task = OrderTask(domain: domain, challenges: [.tlsALPN01, .http01, .dnsPersist01])
        if random.chance(30) { task.resumes = url }
        if random.chance(30) { task.configuration.preferredChain = "Nobody" }
        if random.chance(30) { task.replaces = CertificateID(keyIdentifier: [1], serialNumber: [2]) }
        var machine = OrderMachine(task: task, directory: directory, account: account, key: accountKey)
        var nonces = NoncePool()
        var now = Moment(wall: Self.now, uptime: .zero)
        var events: [OrderMachine.Event] = [.start]
        var published = 0
        var lastID = 0
        for step in 0..<2_000 {
            if machine.hasEnded {
                outcomes["conversation ended", default: 0] += 1
                return published == 0 ? nil : "an answer that is still published"
            }
            let event = events.popLast() ?? .time
            for action in machine.handle(event, at: now, nonces: &nonces) {
                switch action {
                case .prepareKey: events.append(.keyStored(key))
                case .send(let request):
                    if request.id < lastID { return "the number \(request.id) after \(lastID)" }
                    lastID = request.id
                    events.append(
                        random.chance(5)
                            ? .transportFailure(.unreachable("reset"), of: request.id)
                            : .response(response(.conversation, step, &random), to: request.id))
                case .wait(let end):
                    if end <= now.uptime { return "a pause of no time" }
                    now.uptime = end
                    events.append(.time)
                case .publish:
                    published += 1
                    events.append(.challengePublished)
                case .withdraw: published -= 1
                case .renewAccount: events.append(.account(account))
                case .fail(let failure):
                    if let violation = Self.violation(in: failure.error.message) { return violation }
                case .recordNewOrder, .recordIssuance, .storeOrder, .noteRecord, .install, .restart, .report: continue
                }
            }
        }
        return "an order without an end"
    }

    /// The orders of a certificate whose CA suggests windows of any kind, also by answers that are none, and gives
    /// certificates that are due at once: no third one in a day.
    private mutating func renew(_ random: inout SplitMix64) -> String? {
        let day: Int64 = 86_400
        var (state, certificates, now, orders) = (IssuanceState(), [InstalledCertificate](), Self.now, [Int64]())
        for number in 0..<120 {
            var situation = IssuancePlan.Situation(now: now)
            (situation.sites, situation.certificates, situation.offersRenewalInfo) = ([domain], certificates, true)
            var plan = IssuancePlan(settings, situation, state: &state, random: &random)
            for question in plan.questions {
                let start = now + Int64.random(in: -100 * day...2 * day, using: &random)
                let end = start + random.pick([-1, 0, 1, 3_600, day, 200 * day])
                let window = #""start":"\#(InternetDate.string(start))","end":"\#(InternetDate.string(end))""#
                var body = Array(#"{"suggestedWindow":{\#(window)}}"#.utf8)
                if random.chance(20) { mutator.mutate(&body, &random) }
                let fields = [(name: "Retry-After", value: random.pick(["0", "60", "-1", "99999999", "x"]))]
                let answer = RenewalAnswer(ACMEResponse(status: 200, fields: fields, body: body), now: now)
                _ = state.renewalAnswered(question, answer, now: now, random: &random)
            }
            plan = IssuancePlan(settings, situation, state: &state, random: &random)
            if !plan.orders.isEmpty {
                state.attemptStarted(domain, now: now)
                state.issuanceBegun(domain, now: now)
                orders.append(now)
                if orders.count > 2, now - orders[orders.count - 3] < day { return "three orders in a day" }
                state.orderSucceeded(domain)
                let start = now + Int64.random(in: -2 * day...day, using: &random)
                certificates = [
                    InstalledCertificate(
                        source: .acme(domain, directory: directoryURL.description), fingerprint: "f\(number)",
                        names: [domain.identifier], notBefore: start,
                        notAfter: start + Int64.random(in: 0...5 * day, using: &random),
                        certificateID: CertificateID(keyIdentifier: [1], serialNumber: [UInt8(number)]))
                ]
            }
            now += Int64.random(in: 1...(random.chance(30) ? day / 2 : 120), using: &random)
        }
        outcomes["renewals ordered", default: 0] += orders.count
        return orders.isEmpty ? "no order" : nil
    }

    private func response(_ target: ACMEFuzzTarget, _ step: Int, _ random: inout SplitMix64) -> ACMEResponse {
        var body = random.pick(seeds[target] ?? [])
        if random.chance(20) { mutator.mutate(&body, &random) }
        var fields = [(name: "Replay-Nonce", value: random.chance(90) ? "n\(step)" : "\u{0}")]
        if random.chance(70) { fields.append(("Location", Self.base + "/order/1")) }
        if random.chance(20) { fields.append(("Retry-After", random.pick(["0", "5", "-1", "99999999", "x"]))) }
        if random.chance(20) { fields.append(("Link", #"<\#(Self.base)/c/2>;rel="alternate""#)) }
        let status = random.chance(75) ? 200 : random.pick([201, 302, 400, 403, 404, 409, 429, 500, 503])
        return ACMEResponse(status: status, fields: fields, body: body)
    }

    /// Messages are one clause in which nothing talks to a terminal.
    private static func violation(in message: String) -> String? {
        if message.isEmpty { return "an empty message" }
        if message.utf8.count > 8_000 { return "a message of \(message.utf8.count) bytes" }
        return message.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value || $0.value == 0x202E }
            ? "a message with control characters: \(message.debugDescription)" : nil
    }

    private static let refusals = [
        "badNonce", "accountDoesNotExist", "alreadyReplaced", "orderNotReady", "unauthorized",
    ]
    .map { #"{"type":"urn:ietf:params:acme:error:\#($0)"}"# }
    private static let account = """
        {"version":1,"directory":"\(base)/d","url":"\(base)/a/1","contact":["ops@example.com"],"termsOfService":null,\
        "caaIdentities":["ca.example.net"]}
        """
    private static let directoryText = """
        {"newNonce":"\(base)/n","newAccount":"\(base)/a","newOrder":"\(base)/o","renewalInfo":"\(base)/r",\
        "meta":{"termsOfService":"x","caaIdentities":["a"],"externalAccountRequired":false,"profiles":{"a":"b"}}}
        """
    private static let problem = """
        {"type":"urn:ietf:params:acme:error:compound","detail":"two","status":403,"subproblems":\
        [{"type":"urn:ietf:params:acme:error:caa","detail":"no","identifier":{"type":"dns","value":"a.b"}}]}
        """
    private static let renewal = """
        {"suggestedWindow":{"start":"2025-01-02T04:00:00Z","end":"2025-01-03T04:00:00Z"},"explanationURL":"https://a"}
        """
    private static let state = """
        {"version":1,"orders":["2026-11-21T00:00:00Z"],"authority":{"failures":2,"notBefore":"2026-11-21T00:00:10Z",\
        "pause":10,"lastError":{"at":"2026-11-21T00:00:00Z","type":"unavailable","message":"x"}},"domains":[{"domain":\
        "a.example.com","state":"backoff","failures":3,"notBefore":"2026-11-21T00:04:00Z","pause":240,"lastAttempt":\
        "2026-11-21T00:00:00Z","lastError":{"at":"2026-11-21T00:00:00Z","type":"caa","message":"y"},"order":\
        "https://ca.example.net/o/1","failedChallenge":"http-01","renewal":{"certificate":"ab","time":\
        "2027-01-21T00:00:00Z","nextQuestion":"2026-11-21T06:00:00Z","windowStart":"2027-01-20T00:00:00Z",\
        "windowEnd":"2027-01-22T00:00:00Z"},"txtRecord":"z"}]}
        """

    private static func order(_ status: String) -> String {
        """
        {"status":"\(status)","expires":"2026-11-21T00:00:00Z","identifiers":[{"type":"dns","value":"shop.example.com"}],\
        "authorizations":["\(base)/z/1"],"finalize":"\(base)/f/1","certificate":"\(base)/c/1","error":null}
        """
    }

    private static func authorization(_ status: String) -> String {
        let challenges = ["http-01", "tls-alpn-01", "dns-01"].map {
            #"{"type":"\#($0)","url":"\#(base)/h/\#($0)","status":"\#(status)","token":"abc_-1"}"#
        }
        return """
            {"status":"\(status)","identifier":{"type":"dns","value":"shop.example.com"},\
            "challenges":[\(challenges.joined(separator: ","))]}
            """
    }
}
