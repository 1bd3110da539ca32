internal import PushSamples
internal import TLSSamples

/// A certification request (RFC 2986) as the authority wants it: without a subject, for one name, and nothing else.
struct StubAuthorityCertificationRequest {
    let publicKeyInfo: [UInt8]

    /// - Throws: a violation.
    init(_ der: [UInt8], for domain: String) throws(StubAuthority.Problem) {
        let whole = Self.elements(der)
        guard whole.count == 3, DER.sequence(of: whole) == der else { throw Self.bad("is not one in DER") }
        guard SampleVerifier.isSignedRequest(der) else { throw Self.bad("is not signed by its key") }
        let parts = Self.elements(whole[0])
        guard parts.count == 4, parts[0] == DER.integer(0) else { throw Self.bad("has not the four parts it needs") }
        guard parts[1] == DER.sequence() else { throw Self.bad("has a subject") }
        publicKeyInfo = parts[2]
        // One attribute: extensionRequest.
        let attributes = Self.elements(parts[3])
        guard parts[3].first == 0xA0, attributes.count == 1 else { throw Self.bad("has not one attribute") }
        let attribute = Self.elements(attributes[0])
        guard attribute.count == 2, attribute[0] == DER.oid("1.2.840.113549.1.9.14") else {
            throw Self.bad("asks for something other than extensions")
        }
        let values = Self.elements(attribute[1])
        let extensions = values.count == 1 ? Self.elements(values[0]) : []
        guard extensions.count == 1 else { throw Self.bad("does not ask for one extension") }
        let name = Self.elements(extensions[0])
        let expected = DER.octets(DER.sequence(DER.element(0x82, Array(domain.utf8))))
        guard name.first == DER.oid("2.5.29.17"), name.last == expected, name.count <= 3 else {
            throw Self.bad("does not ask for the name '\(domain)' alone")
        }
    }

    private static func elements(_ element: [UInt8]) -> [[UInt8]] {
        DER.content(of: element).map(DER.elements) ?? []
    }

    private static func bad(_ what: String) -> StubAuthority.Problem {
        .violation("the certification request \(what)", type: "badCSR")
    }
}
