internal import PushSamples
internal import SystemSupport

// From a validated order to its certificate, and what comes after it (RFC 8555, section 7.4; RFC 9773).
extension StubAuthorityService.Exchange {
    func finalize() throws(StubAuthority.Problem) -> StubAuthority.Response {
        let order = try ownOrder(target.number, settling: true)
        let payload = try payload(["csr"])
        guard let der = (payload["csr"] as? String).flatMap(StubAuthorityBase64URL.bytes) else {
            throw .violation("'csr' is not base64url", type: "badCSR")
        }
        guard order.status == "ready" else {
            // A client that has got no answer may well ask once more.
            guard order.certificate == nil else {
                throw StubAuthority.Problem("orderNotReady", "the order is \(order.status)")
            }
            throw .violation("the order is \(order.status)", type: "orderNotReady", status: 403)
        }
        let request = try StubAuthorityCertificationRequest(der, for: order.domain)
        let certificate = try certificate(order, request)
        let target = target
        service.database.withLock { database in
            database.orders[target.number]?.status = "processing"
            database.orders[target.number]?.certificate = certificate
        }
        return try answer(order: target.number, settling: !settings.processesOrders)
    }

    private func certificate(
        _ order: StubAuthorityDatabase.Order, _ request: StubAuthorityCertificationRequest
    ) throws(StubAuthority.Problem) -> StubAuthority.Certificate {
        do {
            let certificate = try service.issuer.issue(
                order.domain, publicKeyInfo: request.publicKeyInfo, serial: serial(),
                notBefore: settings.clock() + settings.notBeforeOffset,
                lifetime: settings.lifetime, account: order.account, replaces: order.replaces)
            service.log.withLock { $0.certificates.append(certificate) }
            return certificate
        } catch {
            throw StubAuthority.Problem("serverInternal", "\(error)")
        }
    }

    /// Half of them begin with a zero, before a bit that would be a sign.
    private func serial() -> [UInt8] {
        var bytes = service.database.withLock { $0.makeIdentifier() }
        // DER has no needless zero.
        if bytes[0] == 0 { bytes[0] = 1 }
        return bytes[0] & 0x80 == 0 ? bytes : [0] + bytes
    }

    func certificate() throws(StubAuthority.Problem) -> StubAuthority.Response {
        try expectEmptyPayload()
        let order = try ownOrder(target.number, settling: true)
        let target = target
        guard let certificate = service.database.withLock({ $0.certificates[target.number] }) else {
            throw .violation("the order is \(order.status)", status: 404)
        }
        let type = "application/pem-certificate-chain"
        do {
            if let fault {
                return StubAuthority.Response(
                    status: 200, [("Content-Type", type)], try service.issuer.chain(of: certificate, fault))
            }
            let text = try service.issuer.chain(of: certificate)
            return StubAuthority.Response(status: 200, [("Content-Type", type)], Array(text.utf8))
        } catch {
            throw StubAuthority.Problem("serverInternal", "\(error)")
        }
    }

    func renewalInfo() throws(StubAuthority.Problem) -> StubAuthority.Response {
        guard settings.hasRenewalInfo else { throw .violation("there is no renewal information", status: 404) }
        let parts = target.certificate.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ StubAuthorityBase64URL.bytes(String($0))?.isEmpty == false })
        else { throw .violation("'\(target.certificate)' does not identify a certificate") }
        let target = target
        let known = service.database.withLock { database in
            database.certificates.values.first { $0.identifier == target.certificate }
        }
        guard let certificate = known else { throw Self.gone }
        let lifetime = certificate.notAfter - certificate.notBefore
        let start = certificate.notBefore + lifetime * 2 / 3
        let window = settings.renewalWindow?(certificate) ?? (start: start, end: start + max(1, lifetime / 10))
        var object: [String: Any] = [
            "suggestedWindow": ["start": SampleTime.text(window.start), "end": SampleTime.text(window.end)]
        ]
        if let url = settings.explanationURL { object["explanationURL"] = url }
        return .json(object, settings.renewalRetryAfter.map { [("Retry-After", $0)] } ?? [])
    }
}
