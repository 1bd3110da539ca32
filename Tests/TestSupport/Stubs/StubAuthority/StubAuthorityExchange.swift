internal import SystemSupport

extension StubAuthorityService {
    /// One request: what was found in it, and the answer.
    struct Exchange {
        let service: StubAuthorityService
        let settings: StubAuthority.Settings
        let target: StubAuthorityTarget
        /// The fault of the chain that is handed out.
        var fault: StubAuthority.ChainFault?
        private(set) var message: StubAuthorityMessage?
        /// The key of `newAccount`.
        private(set) var key: StubAuthorityKey?
        /// The account of all other messages.
        private(set) var account: StubAuthorityDatabase.Account?

        init(service: StubAuthorityService, settings: StubAuthority.Settings, target: StubAuthorityTarget) {
            (self.service, self.settings, self.target) = (service, settings, target)
        }

        /// Checks all that messages have in common, and fills in what the request is about.
        mutating func verify(_ request: inout StubAuthority.Request, body: [UInt8]) throws(StubAuthority.Problem) {
            describe(&request)
            guard target.methods.contains(request.method) else {
                throw .violation("\(request.method) is not for this resource", status: 405)
            }
            let agent = request["User-Agent"] ?? ""
            guard agent.hasPrefix(settings.userAgent) else { throw .violation("'User-Agent' is '\(agent)'") }
            let host = request["Host"] ?? ""
            guard ["localhost:\(service.port)", "127.0.0.1:\(service.port)"].contains(host) else {
                throw .violation("'Host' is '\(host)'")
            }
            guard request.method == "POST" else {
                guard body.isEmpty else { throw .violation("\(request.method) has a body") }
                return
            }
            guard request["Content-Type"] == "application/jose+json" else {
                throw .violation("'Content-Type' is '\(request["Content-Type"] ?? "")'", status: 415)
            }
            try verifyMessage(&request, body, url: "https://\(host)\(request.path)")
        }

        private mutating func verifyMessage(
            _ request: inout StubAuthority.Request, _ body: [UInt8], url: String
        ) throws(StubAuthority.Problem) {
            let message = try StubAuthorityMessage(body: body, isNewAccount: target.resource == .newAccount)
            self.message = message
            request.payload = String(decoding: message.payload, as: UTF8.self)
            if target.resource == .newOrder, let order = StubAuthorityJSON.object(message.payload) {
                request.domain = ((order["identifiers"] as? [Any])?.first as? [String: Any])?["value"] as? String
                request.replaces = order["replaces"] as? String
            }
            guard message.header["url"] as? String == url else {
                throw .violation(
                    "'url' is '\(message.header["url"] ?? "")', and the request's is '\(url)'", type: "unauthorized")
            }
            let signer: StubAuthorityKey
            if target.resource == .newAccount {
                signer = try StubAuthorityKey(message.header["jwk"])
                key = signer
            } else {
                let account = try knownAccount(message.header["kid"] as? String ?? "")
                signer = account.key
                request.account = account.url
                self.account = account
            }
            guard signer.hasSigned(message.signed, message.signature) else {
                throw .violation("the signature is wrong")
            }
            let share = settings.rejectedNonces
            try service.database.withLock { database throws(StubAuthority.Problem) in
                try database.useNonce(message.nonce, rejecting: share)
            }
            if let account, account.status != "valid" {
                throw StubAuthority.Problem("unauthorized", "the account is \(account.status)")
            }
        }

        private func knownAccount(_ url: String) throws(StubAuthority.Problem) -> StubAuthorityDatabase.Account {
            let (account, isKnown) = service.database.withLock { ($0.accounts[url], $0.knownAccounts.contains(url)) }
            guard let account else {
                if isKnown { throw StubAuthority.Problem("accountDoesNotExist", "the account '\(url)' is not there") }
                throw .violation("'kid' is '\(url)', which never was an account", type: "accountDoesNotExist")
            }
            return account
        }

        private func describe(_ request: inout StubAuthority.Request) {
            let target = target
            request.domain = service.database.withLock { database in
                switch target.resource {
                case .order, .finalize, .certificate: database.orders[target.number]?.domain
                case .authorization, .challenge: database.authorizations[target.number]?.domain
                case .renewalInfo: database.certificates.values.first { $0.identifier == target.certificate }?.domain
                default: nil
                }
            }
        }

        /// The nonce of a request that is not answered: the client may well send it again.
        func loseNonce() {
            guard let nonce = message?.nonce else { return }
            service.database.withLock { _ = $0.lostNonces.insert(nonce) }
        }

        func refusal(_ problem: StubAuthority.Problem, _ request: StubAuthority.Request) -> StubAuthority.Response {
            if problem.isViolation { service.violate("\(request.method) \(request.path): \(problem.detail)") }
            return completed(problem.response)
        }

        func response(to request: StubAuthority.Request) -> StubAuthority.Response {
            do throws(StubAuthority.Problem) {
                return completed(try process(request))
            } catch {
                return refusal(error, request)
            }
        }

        /// The response with the fields that all answers have.
        func completed(_ response: StubAuthority.Response) -> StubAuthority.Response {
            var response = response
            let date = settings.clock() + settings.dateOffset
            response.fields.append(("Date", StubAuthorityService.httpDate(date)))
            response.fields.append(("Cache-Control", "no-store"))
            if target.resource != .directory {
                response.fields.append(("Link", "<\(service.base)/directory>;rel=\"index\""))
            }
            if message != nil || target.resource == .newNonce || target.methods == ["POST"],
                response["Replay-Nonce"] == nil
            {
                response.fields.append(("Replay-Nonce", service.database.withLock { $0.makeNonce() }))
            }
            return response
        }

        private func process(_ request: StubAuthority.Request) throws(StubAuthority.Problem) -> StubAuthority.Response {
            switch target.resource {
            case .directory: directory
            case .newNonce: StubAuthority.Response(status: request.method == "HEAD" ? 200 : 204)
            case .newAccount: try newAccount()
            case .account: try changeAccount()
            case .newOrder: try newOrder()
            case .order: try order()
            case .authorization: try authorization()
            case .challenge: try challenge()
            case .finalize: try finalize()
            case .certificate: try certificate()
            case .renewalInfo: try renewalInfo()
            }
        }
    }
}

extension StubAuthorityService.Exchange {
    /// The JSON object that was signed.
    ///
    /// - Parameter names: the members that may be in it.
    func payload(_ names: Set<String>) throws(StubAuthority.Problem) -> [String: Any] {
        guard let message, let object = StubAuthorityJSON.object(message.payload) else {
            throw .violation("the payload is not a JSON object")
        }
        let others = Set(object.keys).subtracting(names)
        guard others.isEmpty else { throw .violation("the payload has \(others.sorted()), too") }
        return object
    }

    /// POST-as-GET (RFC 8555, section 6.3).
    func expectEmptyPayload() throws(StubAuthority.Problem) {
        guard message?.payload.isEmpty == true else { throw .violation("the payload should be empty") }
    }

    /// That something belongs to whoever asks for it.
    func expectOwner(_ owner: String) throws(StubAuthority.Problem) {
        guard owner == account?.url else { throw .violation("it is another account's", type: "unauthorized") }
    }

    static let gone = StubAuthority.Problem("malformed", "there is no such thing", status: 404)
}
