/// A certificate that was asked for, and how far it is (RFC 8555, section 7.1.3).
package struct Order: Equatable, Sendable {
    package enum Status: String, Sendable {
        case pending, ready, processing, valid, invalid
    }

    package let status: Status
    package let authorization: SecureURL
    package let finalize: SecureURL
    /// The URL of the chain; an order that is valid has one.
    package let certificate: SecureURL?
    package let problem: Problem?

    /// - Throws: `protocol`, also if it is for anything but the one name.
    package init(_ bytes: [UInt8], for domain: Domain) throws(IssuanceError) {
        let object = try ReceivedObject(bytes, subject: "the order")
        status = try object.status(Status.init)
        let identifiers = try object.objects("identifiers", subject: "an identifier of the order")
        guard identifiers.count == 1, try identifiers[0].isDNSIdentifier(domain.identifier) else {
            throw IssuanceError(.protocol, "the order is not for '\(domain)' alone")
        }
        let authorizations = try object.urls("authorizations")
        guard authorizations.count == 1 else {
            throw IssuanceError(
                .protocol, "the order has \(authorizations.count) authorizations, expected one for its one name")
        }
        authorization = authorizations[0]
        finalize = try object.url("finalize")
        certificate = try object.optionalURL("certificate")
        problem = try object.optionalObject("error").map { object throws(IssuanceError) in try Problem(object) }
        if status == .valid, certificate == nil {
            throw IssuanceError(.protocol, "the order is valid, but has no 'certificate'")
        }
    }

    /// Why there will be no certificate.
    var error: IssuanceError {
        problem?.error("the order is invalid")
            ?? IssuanceError(.other, "the order is invalid, and the CA gives no reason")
    }
}
