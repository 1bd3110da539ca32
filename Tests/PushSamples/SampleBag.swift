/// A bag of PKCS #12 (RFC 7292, section 4.2).
public struct SampleBag: Sendable {
    enum Content: Sendable {
        case value(oid: String, [UInt8]?)
        case shrouded([UInt8], SampleEncryption)
        case nested([SampleBag])
    }

    let content: Content
    /// The elements of the set of attributes, each in DER.
    public var attributes: [[UInt8]] = []

    private init(_ content: Content) {
        self.content = content
    }

    /// - Parameters:
    ///   - oid: In dots.
    ///   - value: In DER, the content of the tag [0]; nil leaves the tag out.
    public static func any(_ oid: String, _ value: [UInt8]?) -> Self { SampleBag(.value(oid: oid, value)) }

    /// - Parameter type: The last arc of the kind of certificate: 1 for X.509, 2 for SDSI.
    public static func certificate(_ der: [UInt8], type: Int = 1) -> Self {
        any(
            bag(3),
            DER.sequence(DER.oid("1.2.840.113549.1.9.22.\(type)"), DER.tagged(0, DER.octets(der))))
    }

    /// - Parameter pkcs8: See `SampleKey.pkcs8()`.
    public static func key(_ pkcs8: [UInt8]) -> Self { any(bag(1), pkcs8) }

    public static func shroudedKey(_ pkcs8: [UInt8], _ encryption: SampleEncryption) -> Self {
        SampleBag(.shrouded(pkcs8, encryption))
    }

    public static func crl(_ der: [UInt8]) -> Self {
        any(bag(4), DER.sequence(DER.oid("1.2.840.113549.1.9.23.1"), DER.tagged(0, DER.octets(der))))
    }

    public static func secret(_ bytes: [UInt8]) -> Self {
        any(bag(5), DER.sequence(DER.oid("1.2.840.113549.1.7.1"), DER.tagged(0, DER.octets(bytes))))
    }

    /// SafeContents inside of SafeContents.
    public static func nested(_ bags: [SampleBag]) -> Self { SampleBag(.nested(bags)) }

    /// The bag with attributes as everybody writes them.
    public func named(_ friendlyName: String? = nil, localKeyID: [UInt8]? = nil) -> Self {
        var copy = self
        if let friendlyName {
            copy.attributes.append(
                DER.sequence(
                    DER.oid("1.2.840.113549.1.9.20"), DER.set(SampleName.StringType.bmp.der(friendlyName))))
        }
        if let localKeyID {
            copy.attributes.append(
                DER.sequence(DER.oid("1.2.840.113549.1.9.21"), DER.set(DER.octets(localKeyID))))
        }
        return copy
    }

    static func bag(_ arc: Int) -> String { "1.2.840.113549.1.12.10.1.\(arc)" }

    func der() throws(SampleError) -> [UInt8] {
        let oid: String
        let value: [UInt8]?
        switch content {
        case .value(let kind, let bytes): (oid, value) = (kind, bytes)
        case .shrouded(let key, let encryption):
            let (algorithm, text) = try encryption.encrypt(key)
            (oid, value) = (Self.bag(2), DER.sequence(algorithm, DER.octets(text)))
        case .nested(let bags):
            var elements: [[UInt8]] = []
            for bag in bags { elements.append(try bag.der()) }
            (oid, value) = (Self.bag(6), DER.sequence(of: elements))
        }
        return DER.sequence(
            DER.oid(oid), value.map { DER.tagged(0, $0) } ?? [], attributes.isEmpty ? [] : DER.set(of: attributes))
    }
}
