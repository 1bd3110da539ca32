internal import Diagnostics

/// Counts what a PKCS #12 holds besides X.509 certificates and keys.
struct SkippedBags {
    enum Kind: Hashable {
        case revocationList
        case secret
        /// One that is not X.509.
        case otherCertificate
        /// By its object identifier.
        case unknown(String)
        /// A whole part that no password opens, by the object identifier of its type.
        case part(String)

        func text(_ count: Int) -> String {
            let names: (one: String, several: String) =
                switch self {
                case .revocationList: ("a revocation list", "revocation lists")
                case .secret: ("a secret", "secrets")
                case .otherCertificate: ("a certificate that is not X.509", "certificates that are not X.509")
                case .part(ContentInformation.envelopedData):
                    ("a part for somebody's private key", "parts for somebody's private key")
                case .part(let oid):
                    ("a part of the unknown type \(quoted(oid))", "parts of the unknown type \(quoted(oid))")
                case .unknown(let oid):
                    ("a bag of the unknown type \(quoted(oid))", "bags of the unknown type \(quoted(oid))")
                }
            return count == 1 ? names.one : "\(count) \(names.several)"
        }
    }

    /// More different kinds are summed up.
    private static let maximumKinds = 8

    private var order: [Kind] = []
    private var counts: [Kind: Int] = [:]
    private var others = 0

    mutating func add(_ kind: Kind) {
        if counts[kind] == nil {
            guard order.count < Self.maximumKinds else {
                others += 1
                return
            }
            order.append(kind)
        }
        counts[kind, default: 0] += 1
    }

    var notes: [FileContents.Note] {
        order.map { .bagSkipped($0.text(counts[$0] ?? 0)) }
            + (others == 0 ? [] : [.bagSkipped(others == 1 ? "another bag" : "\(others) other bags")])
    }
}
