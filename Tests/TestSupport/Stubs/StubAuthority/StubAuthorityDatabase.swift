internal import TLSSamples

/// The knowledge of the authority, until it forgets it.
struct StubAuthorityDatabase {
    struct Account {
        let url: String
        let key: StubAuthorityKey
        var contact: [String]
        var status = "valid"
    }

    struct Order {
        let account: String
        /// The domain, with `*.` for a wildcard.
        let domain: String
        let authorization: Int
        let replaces: String?
        /// `processing` also when it is over, until somebody asks.
        var status = "pending"
        /// Once it was processed.
        var certificate: StubAuthority.Certificate?
    }

    struct Authorization {
        let account: String
        let domain: String
        var status = "pending"
        var challenges: [Challenge]
    }

    struct Challenge {
        let type: String
        let token: String
        var status = "pending"
        var problem: StubAuthority.Problem?
    }

    var accounts: [String: Account] = [:]
    var orders: [Int: Order] = [:]
    var authorizations: [Int: Authorization] = [:]
    /// By the number of the order.
    var certificates: [Int: StubAuthority.Certificate] = [:]
    /// That can be used.
    var nonces: Set<String> = []
    /// That were forgotten, or came with a request that was not answered: to use one again is no violation.
    var lostNonces: Set<String> = []
    /// The number that tells its identifiers from those of others.
    private let seed: Int
    private var identifiers = 0
    /// The next number of accounts, orders and so on; goes on after everything was forgotten, so that no URL is another
    /// thing later.
    private var next = 1
    /// The share of nonces accepted that could have been rejected.
    private var acceptedShare = 0
    private(set) var knownAccounts: Set<String> = []

    init(seed: Int) { self.seed = seed }

    mutating func number() -> Int {
        defer { next += 1 }
        return next
    }

    mutating func insert(_ account: Account) {
        accounts[account.url] = account
        knownAccounts.insert(account.url)
    }

    func account(of key: StubAuthorityKey) -> Account? {
        accounts.values.first { $0.key.members == key.members }
    }

    mutating func makeNonce() -> String {
        let nonce = makeToken()
        nonces.insert(nonce)
        return nonce
    }

    /// 22 characters that never occur again.
    mutating func makeToken() -> String { StubAuthorityBase64URL.text(makeIdentifier()) }

    /// Sixteen bytes that look random.
    mutating func makeIdentifier() -> [UInt8] {
        identifiers += 1
        return Array(SampleVerifier.sha256(Array("identifier \(identifiers) of \(seed)".utf8)).prefix(16))
    }

    /// - Parameter share: of 100 that are rejected.
    mutating func useNonce(_ nonce: String, rejecting share: Int) throws(StubAuthority.Problem) {
        guard nonces.remove(nonce) != nil else {
            if lostNonces.contains(nonce) { throw StubAuthority.Problem("badNonce", "the nonce was forgotten") }
            throw .violation("the nonce '\(nonce)' was used before, or is not one of ours", type: "badNonce")
        }
        acceptedShare += share
        if acceptedShare >= 100 {
            acceptedShare -= 100
            throw StubAuthority.Problem("badNonce", "the nonce is rejected")
        }
    }

    /// Whether another order that may still succeed has named a certificate as its predecessor.
    func isReplaced(_ identifier: String) -> Bool {
        orders.values.contains { $0.replaces == identifier && $0.status != "invalid" }
    }

    /// The newest valid authorization of an account for a name.
    func validAuthorization(_ account: String, _ domain: String) -> Int? {
        authorizations.filter { $0.value.account == account && $0.value.domain == domain && $0.value.status == "valid" }
            .keys.max()
    }

    /// Ends the processing of an order.
    mutating func settle(_ number: Int) {
        guard let order = orders[number], order.status == "processing" else { return }
        orders[number]?.status = "valid"
        certificates[number] = order.certificate
    }

    /// Takes over what has come of a validation.
    mutating func finish(_ number: Int, _ index: Int, _ problem: StubAuthority.Problem?) {
        guard var authorization = authorizations[number], authorization.status == "pending" else { return }
        authorization.status = problem == nil ? "valid" : "invalid"
        authorization.challenges[index].status = authorization.status
        authorization.challenges[index].problem = problem
        authorizations[number] = authorization
        for (order, value) in orders where value.authorization == number && value.status == "pending" {
            orders[order]?.status = problem == nil ? "ready" : "invalid"
        }
    }

    mutating func forget() {
        accounts = [:]
        forgetOrders()
        lostNonces.formUnion(nonces)
        nonces = []
    }

    mutating func forgetOrders() {
        (orders, authorizations, certificates) = ([:], [:], [:])
    }
}
