internal import OpenSSL
internal import SystemSupport

extension ChainVerdict {
    var isGood: Bool { self == .good }

    /// The verdict in a few words, which follow an address.
    var clause: String {
        switch self {
        case .good: "complete chain"
        case .expired(let time): "the certificate expired on \(InternetDate.day(time))"
        case .notYetValid(let time): "the certificate is not valid before \(InternetDate.string(time))"
        case .nameMismatch: "the certificate is for other names"
        case .missingIntermediate: "the chain is incomplete"
        case .untrusted: "the chain is not trusted"
        }
    }
}
