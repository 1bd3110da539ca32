internal import SystemSupport

// Orders and their authorizations (RFC 8555, sections 7.4 and 7.5).
extension StubAuthorityService.Exchange {
    func newOrder() throws(StubAuthority.Problem) -> StubAuthority.Response {
        guard let account else { throw .violation("there is no account") }
        let payload = try payload(["identifiers", "profile", "replaces"])
        guard let identifiers = payload["identifiers"] as? [[String: String]], identifiers.count == 1,
            Set(identifiers[0].keys) == ["type", "value"], identifiers[0]["type"] == "dns",
            let domain = identifiers[0]["value"]
        else { throw .violation("'identifiers' is not one name") }
        guard Self.isName(domain) else { throw .violation("'\(domain)' is not a name", type: "rejectedIdentifier") }
        if let profile = payload["profile"] {
            throw .violation("there is no profile '\(profile)'", type: "invalidProfile")
        }
        if payload["replaces"] != nil, !settings.hasRenewalInfo {
            throw .violation("'replaces' is for authorities with renewal information")
        }
        let replaces = payload["replaces"] as? String
        let settings = settings
        let number = try service.database.withLock { database throws(StubAuthority.Problem) in
            if let replaces { try Self.check(replaces, domain, account.url, database) }
            let valid = settings.reusesAuthorizations ? database.validAuthorization(account.url, domain) : nil
            let authorization = valid ?? database.number()
            if valid == nil {
                database.authorizations[authorization] = Self.authorization(account.url, domain, settings, &database)
            }
            let number = database.number()
            database.orders[number] = StubAuthorityDatabase.Order(
                account: account.url, domain: domain, authorization: authorization, replaces: replaces,
                status: valid == nil ? "pending" : "ready")
            return number
        }
        return try answer(order: number, status: 201)
    }

    private static func isName(_ name: String) -> Bool {
        let labels = (name.hasPrefix("*.") ? name.dropFirst(2) : name[...]).split(
            separator: ".", omittingEmptySubsequences: false)
        let isGood = labels.allSatisfy { label in
            1...63 ~= label.utf8.count && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                        || byte == UInt8(ascii: "-")
                }
        }
        return isGood && name.utf8.count <= 253
    }

    /// RFC 9773, section 5.
    private static func check(
        _ replaces: String, _ domain: String, _ account: String, _ database: StubAuthorityDatabase
    ) throws(StubAuthority.Problem) {
        guard let certificate = database.certificates.values.first(where: { $0.identifier == replaces }) else {
            throw StubAuthority.Problem("malformed", "the certificate '\(replaces)' is not one of ours")
        }
        guard certificate.account == account, certificate.domain == domain else {
            throw .violation("'replaces' is a certificate for another name, or of another account")
        }
        if database.isReplaced(replaces) {
            throw StubAuthority.Problem("alreadyReplaced", "the certificate is replaced already")
        }
    }

    private static func authorization(
        _ account: String, _ domain: String, _ settings: StubAuthority.Settings,
        _ database: inout StubAuthorityDatabase
    ) -> StubAuthorityDatabase.Authorization {
        let types = settings.challenges.filter { !domain.hasPrefix("*.") || $0.hasPrefix("dns-") }
        let token = database.makeToken() + "-_" + database.makeToken()
        return StubAuthorityDatabase.Authorization(
            account: account, domain: domain,
            challenges: types.map { StubAuthorityDatabase.Challenge(type: $0, token: token) })
    }

    func order() throws(StubAuthority.Problem) -> StubAuthority.Response {
        try expectEmptyPayload()
        return try answer(order: target.number)
    }

    /// - Throws: `gone` if it is unknown, also if it was forgotten.
    func ownOrder(_ number: Int, settling: Bool) throws(StubAuthority.Problem) -> StubAuthorityDatabase.Order {
        let order = service.database.withLock { database in
            if settling { database.settle(number) }
            return database.orders[number]
        }
        guard let order else { throw Self.gone }
        try expectOwner(order.account)
        return order
    }

    /// - Parameter settling: whether an order whose processing is over is shown as it is by now.
    func answer(order number: Int, status: Int = 200, settling: Bool = true) throws(StubAuthority.Problem)
        -> StubAuthority.Response
    {
        let order = try ownOrder(number, settling: settling)
        var object: [String: Any] = [
            "status": order.status, "expires": "2999-01-01T00:00:00Z",
            "identifiers": [["type": "dns", "value": order.domain]],
            "authorizations": ["\(service.base)/authorization/\(order.authorization)"],
            "finalize": "\(service.base)/finalize/\(number)",
        ]
        if let replaces = order.replaces { object["replaces"] = replaces }
        if order.status == "valid" { object["certificate"] = "\(service.base)/certificate/\(number)" }
        return .json(object, status: status, [("Location", "\(service.base)/order/\(number)")])
    }

    private func ownAuthorization() throws(StubAuthority.Problem) -> StubAuthorityDatabase.Authorization {
        let target = target
        guard let authorization = service.database.withLock({ $0.authorizations[target.number] }) else {
            throw Self.gone
        }
        try expectOwner(authorization.account)
        return authorization
    }

    func authorization() throws(StubAuthority.Problem) -> StubAuthority.Response {
        try expectEmptyPayload()
        let authorization = try ownAuthorization()
        let isWildcard = authorization.domain.hasPrefix("*.")
        let name = isWildcard ? String(authorization.domain.dropFirst(2)) : authorization.domain
        var object: [String: Any] = [
            "status": authorization.status, "expires": "2999-01-01T00:00:00Z",
            "identifier": ["type": "dns", "value": name],
            "challenges": authorization.challenges.enumerated().map { self.object(of: $1, $0) },
        ]
        if isWildcard { object["wildcard"] = true }
        return .json(object)
    }

    private func object(of challenge: StubAuthorityDatabase.Challenge, _ index: Int) -> [String: Any] {
        var object: [String: Any] = [
            "type": challenge.type, "status": challenge.status,
            "url": "\(service.base)/challenge/\(target.number)/\(index)",
        ]
        if challenge.type == "dns-persist-01" {
            object["issuer-domain-names"] = settings.caaIdentities
        } else {
            object["token"] = challenge.token
        }
        if let problem = challenge.problem { object["error"] = problem.object }
        if challenge.status == "valid" { object["validated"] = "2026-01-01T00:00:00Z" }
        return object
    }

    func challenge() throws(StubAuthority.Problem) -> StubAuthority.Response {
        let authorization = try ownAuthorization()
        guard let index = target.index, authorization.challenges.indices.contains(index), let account else {
            throw Self.gone
        }
        // An empty payload only asks how it goes.
        if message?.payload.isEmpty == false {
            _ = try payload([])
            let challenge = authorization.challenges[index]
            guard ["tls-alpn-01", "http-01", "dns-persist-01"].contains(challenge.type) else {
                throw .violation("nobody can answer '\(challenge.type)' here")
            }
            let target = target
            let begins = service.database.withLock { database in
                let others = database.authorizations[target.number]
                guard others?.status == "pending",
                    others?.challenges.allSatisfy({ $0.status == "pending" }) == true
                else { return false }
                database.authorizations[target.number]?.challenges[index].status = "processing"
                return true
            }
            if begins {
                let attempt = StubAuthority.Attempt(
                    type: challenge.type, domain: authorization.domain, token: challenge.token,
                    keyAuthorization: "\(challenge.token).\(account.key.thumbprint)", account: account.url)
                service.validate(attempt, authorization: target.number, challenge: index)
            }
        }
        let now = try ownAuthorization().challenges[index]
        let up = "<\(service.base)/authorization/\(target.number)>;rel=\"up\""
        return .json(object(of: now, index), [("Link", up)])
    }
}
