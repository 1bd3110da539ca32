/// What has to be proved for one name (RFC 8555, section 7.1.4).
package struct Authorization: Equatable, Sendable {
    package enum Status: String, Sendable {
        case pending, valid, invalid, deactivated, expired, revoked
    }

    package let status: Status
    /// Those of a type that is known here.
    package let challenges: [Challenge]
    /// The types of all of them, escaped, for messages; at most 10.
    package let offered: [String]

    /// - Throws: `protocol`, also if it is for another name.
    package init(_ bytes: [UInt8], for domain: Domain) throws(IssuanceError) {
        let object = try ReceivedObject(bytes, subject: "the authorization")
        status = try object.status(Status.init)
        guard try object.object("identifier").isDNSIdentifier(domain.base),
            try object.optionalBoolean("wildcard") ?? false == domain.isWildcard
        else { throw IssuanceError(.protocol, "the authorization is not for '\(domain)'") }
        var challenges: [Challenge] = []
        var offered: [String] = []
        for object in try object.objects("challenges", subject: "the challenge").prefix(32) {
            offered.append(AuthorityText.shown(try object.string("type"), limit: 60))
            if let challenge = try Challenge(object) { challenges.append(challenge) }
        }
        self.challenges = challenges
        self.offered = Array(offered.prefix(10))
    }

    /// Why it is not valid, and never will be.
    func error(for domain: Domain) -> IssuanceError {
        let problem = challenges.first { $0.status == .invalid && $0.problem != nil }?.problem
        return problem?.error("the name was not validated")
            ?? IssuanceError(.unauthorized, "the authorization for '\(domain)' is \(status.rawValue)")
    }
}
