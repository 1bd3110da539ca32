import PushSamples

/// Certification requests, right and wrong.
enum CertificationRequestSample {
    /// One without a subject.
    ///
    /// - Parameters:
    ///   - names: DNS names.
    ///   - isStapled: whether it asks for `Must-Staple` as well.
    static func request(for names: [String], isStapled: Bool, key: SampleKey) throws -> [UInt8] {
        let general = DER.sequence(of: names.map { DER.element(0x82, Array($0.utf8)) })
        var extensions = [DER.sequence(DER.oid("2.5.29.17"), DER.octets(general))]
        if isStapled {
            let value = DER.sequence(DER.integer(5))
            extensions.append(DER.sequence(DER.oid("1.3.6.1.5.5.7.1.24"), DER.octets(value)))
        }
        let attribute = DER.sequence(
            DER.oid("1.2.840.113549.1.9.14"), DER.set(DER.sequence(of: extensions)))
        let body = DER.sequence(
            DER.integer(0), DER.sequence(), try key.publicKeyInfo(), DER.tagged(0, attribute))
        return DER.sequence(
            body, DER.sequence(DER.oid("1.2.840.10045.4.3.2")), DER.bits(try key.signature(of: body)))
    }
}
