internal import SystemSupport

// The directory and accounts (RFC 8555, sections 7.1.1 and 7.3).
extension StubAuthorityService.Exchange {
    var directory: StubAuthority.Response {
        let base = service.base
        var object: [String: Any] = [
            "newNonce": "\(base)/new-nonce", "newAccount": "\(base)/new-account", "newOrder": "\(base)/new-order",
            "revokeCert": "\(base)/revoke-cert", "keyChange": "\(base)/key-change",
        ]
        if settings.hasRenewalInfo { object["renewalInfo"] = "\(base)/renewal-info" }
        var meta: [String: Any] = [
            "caaIdentities": settings.caaIdentities, "website": "https://ca.example.net/",
            "externalAccountRequired": !settings.externalAccounts.isEmpty,
        ]
        if let terms = settings.termsOfService { meta["termsOfService"] = terms }
        object["meta"] = meta
        return .json(object)
    }

    func newAccount() throws(StubAuthority.Problem) -> StubAuthority.Response {
        guard let key else { throw .violation("there is no key") }
        let payload = try payload([
            "termsOfServiceAgreed", "contact", "onlyReturnExisting", "externalAccountBinding",
        ])
        if let account = service.database.withLock({ $0.account(of: key) }) {
            guard account.status == "valid" else {
                throw StubAuthority.Problem("unauthorized", "the account is \(account.status)")
            }
            return .json(object(of: account), [("Location", account.url)])
        }
        if payload["onlyReturnExisting"] as? Bool == true {
            throw StubAuthority.Problem("accountDoesNotExist", "there is no account with this key")
        }
        guard settings.termsOfService == nil || payload["termsOfServiceAgreed"] as? Bool == true else {
            throw .violation("the terms of service are not agreed to", type: "userActionRequired", status: 403)
        }
        let contact = try contact(of: payload) ?? []
        if !settings.externalAccounts.isEmpty {
            guard let binding = payload["externalAccountBinding"] as? [String: Any] else {
                throw StubAuthority.Problem("externalAccountRequired", "an external account is needed")
            }
            let message = try StubAuthorityMessage(binding, header: ["alg", "kid", "url"])
            try message.check(
                binding: key, url: "\(service.base)/new-account", accounts: settings.externalAccounts)
        }
        let base = service.base
        let account = service.database.withLock { database in
            let account = StubAuthorityDatabase.Account(
                url: "\(base)/account/\(database.number())", key: key, contact: contact)
            database.insert(account)
            return account
        }
        return .json(object(of: account), status: 201, [("Location", account.url)])
    }

    func changeAccount() throws(StubAuthority.Problem) -> StubAuthority.Response {
        guard var account else { throw .violation("there is no account") }
        guard account.url == "\(service.base)/account/\(target.number)" else {
            throw .violation("it is another account's", type: "unauthorized", status: 403)
        }
        guard message?.payload.isEmpty == false else { return .json(object(of: account)) }
        let payload = try payload(["contact", "status"])
        if let contact = try contact(of: payload) { account.contact = contact }
        if let status = payload["status"] as? String {
            guard status == "deactivated" else { throw .violation("'status' is '\(status)'") }
            account.status = status
        }
        service.database.withLock { $0.accounts[account.url] = account }
        return .json(object(of: account))
    }

    private func contact(of payload: [String: Any]) throws(StubAuthority.Problem) -> [String]? {
        guard let value = payload["contact"] else { return nil }
        guard let contact = value as? [String] else { throw .violation("'contact' is not a list of texts") }
        for address in contact {
            let parts = address.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
            guard address.hasPrefix("mailto:"), parts.count == 2, !parts.contains(""), !address.contains(",") else {
                throw .violation("'\(address)' is not the URL of one address", type: "invalidContact")
            }
        }
        return contact
    }

    private func object(of account: StubAuthorityDatabase.Account) -> [String: Any] {
        ["status": account.status, "contact": account.contact, "orders": "\(account.url)/orders"]
    }
}
