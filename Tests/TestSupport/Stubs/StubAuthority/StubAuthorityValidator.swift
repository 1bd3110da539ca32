internal import PushSamples
internal import TLSSamples

/// Validates names as a CA does: by connecting to the server, or by asking a name server.
struct StubAuthorityValidator {
    let settings: StubAuthority.Settings

    /// - Returns: why the client has not proved anything; nil if it has.
    func problem(of attempt: StubAuthority.Attempt) -> StubAuthority.Problem? {
        if let validator = settings.validator { return validator(attempt) }
        do throws(StubAuthority.Problem) {
            switch attempt.type {
            case "tls-alpn-01": try checkTLS(attempt)
            case "http-01": try checkHTTP(attempt)
            case "dns-persist-01": try checkRecord(attempt)
            default: throw StubAuthority.Problem("serverInternal", "'\(attempt.type)' is not known")
            }
            return nil
        } catch {
            return error
        }
    }

    /// RFC 8737, section 3.
    private func checkTLS(_ attempt: StubAuthority.Attempt) throws(StubAuthority.Problem) {
        let offer = SampleOffer {
            $0.serverName = attempt.domain
            $0.protocols = ["acme-tls/1"]
        }
        guard let port = settings.tlsPort, let socket = try? RawSocket(port: port, host: settings.address),
            let client = try? HTTPSClient(socket, offer)
        else {
            throw StubAuthority.Problem("connection", "connection refused")
        }
        do {
            try client.handshake()
        } catch {
            throw StubAuthority.Problem("tls", "\(error)")
        }
        guard client.selectedProtocol == "acme-tls/1" else {
            throw StubAuthority.Problem("unauthorized", "'acme-tls/1' was not negotiated")
        }
        if let reason = Self.fault(of: client.presented, attempt) {
            throw StubAuthority.Problem("unauthorized", reason)
        }
    }

    private static func fault(of certificate: [UInt8], _ attempt: StubAuthority.Attempt) -> String? {
        guard SampleVerifier.isSelfSigned(certificate) else { return "the certificate does not sign itself" }
        let body = elements(elements(certificate).first ?? [])
        let extensions = elements(elements(body.last { $0.first == 0xA3 } ?? []).first ?? []).map(elements)
        let names = extensions.filter { $0.first == DER.oid("2.5.29.17") }
        let expected = DER.sequence(DER.element(0x82, Array(attempt.domain.utf8)))
        guard names.count == 1, names[0].last == DER.octets(expected) else {
            return "the certificate is not for '\(attempt.domain)' alone"
        }
        let identifiers = extensions.filter { $0.first == DER.oid("1.3.6.1.5.5.7.1.31") }
        let hash = SampleVerifier.sha256(Array(attempt.keyAuthorization.utf8))
        guard identifiers.count == 1, identifiers[0].count == 3, identifiers[0][1] == DER.boolean(true) else {
            return "the certificate has not one critical acmeIdentifier"
        }
        return identifiers[0][2] == DER.octets(DER.octets(hash)) ? nil : "the acmeIdentifier is another one"
    }

    private static func elements(_ element: [UInt8]) -> [[UInt8]] {
        DER.content(of: element).map(DER.elements) ?? []
    }

    /// RFC 8555, section 8.3.
    private func checkHTTP(_ attempt: StubAuthority.Attempt) throws(StubAuthority.Problem) {
        guard let port = settings.httpPort, let socket = try? RawSocket(port: port, host: settings.address) else {
            throw StubAuthority.Problem("connection", "connection refused")
        }
        let host = port == 80 ? attempt.domain : "\(attempt.domain):\(port)"
        socket.send(
            """
            GET /.well-known/acme-challenge/\(attempt.token) HTTP/1.1\r
            Host: \(host)\r
            User-Agent: stub authority\r
            Connection: close\r
            \r

            """)
        guard let answer = HTTPAnswer.read(socket.receiveAll().bytes, isHead: false)?.0 else {
            throw StubAuthority.Problem("connection", "the answer is not one of HTTP")
        }
        guard answer.status == 200 else {
            throw StubAuthority.Problem("unauthorized", "the status is \(answer.status)")
        }
        guard answer.text == attempt.keyAuthorization else {
            throw StubAuthority.Problem("unauthorized", "the key authorization is another one: \(answer.text)")
        }
        guard answer["Content-Type"] == "application/octet-stream" else {
            throw StubAuthority.Problem("unauthorized", "the type is \(answer["Content-Type"] ?? "none")")
        }
    }

    /// draft-ietf-acme-dns-persist: the record says who may issue, for which account, and whether for a wildcard.
    private func checkRecord(_ attempt: StubAuthority.Attempt) throws(StubAuthority.Problem) {
        let isWildcard = attempt.domain.hasPrefix("*.")
        let name = "_validation-persist.\(isWildcard ? String(attempt.domain.dropFirst(2)) : attempt.domain)"
        guard let texts = settings.records[name], !texts.isEmpty else {
            throw StubAuthority.Problem("dns", "there is no record '\(name)'")
        }
        let isRight = texts.contains { text in
            let parts = text.split(separator: ";").map { part in
                String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            return settings.caaIdentities.contains(parts.first ?? "")
                && parts.dropFirst().contains("accounturi=\(attempt.account)")
                && (!isWildcard || parts.dropFirst().contains("policy=wildcard"))
        }
        guard isRight else {
            throw StubAuthority.Problem("unauthorized", "no record '\(name)' is for the account \(attempt.account)")
        }
    }
}
