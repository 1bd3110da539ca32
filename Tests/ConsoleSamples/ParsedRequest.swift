import AssociationConsole
import HTTP1

extension ConsoleRequest {
    /// The request of a head as it is sent; nil if a server refuses the head, or the target is not below the base.
    package init?(parsing head: some Sequence<UInt8>, below base: String = "/") {
        let bytes = Array(head)
        guard case .request(let parsed) = RequestParser.parse(bytes.span) else { return nil }
        self.init(parsed, in: bytes.span, below: base)
    }
}
