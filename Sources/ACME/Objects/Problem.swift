internal import Diagnostics

/// A problem document of a CA (RFC 9457, formerly RFC 7807; RFC 8555, section 6.7).
package struct Problem: Equatable, Sendable {
    package let type: IssuanceErrorType
    /// Escaped, and cut to 300 bytes; empty if the CA gives no reason.
    package let detail: String
    package let subproblems: [Subproblem]
    /// The number of subproblems in the document.
    private let subproblemCount: Int

    /// A problem of one of the names (RFC 8555, section 6.7.1).
    package struct Subproblem: Equatable, Sendable {
        package let type: IssuanceErrorType
        package let detail: String
        /// Escaped; nil if it is about no name.
        package let identifier: String?
    }

    private static let subproblemLimit = 5

    /// - Throws: `protocol` if it is not a problem document.
    package init(_ bytes: [UInt8]) throws(IssuanceError) {
        try self.init(ReceivedObject(bytes, subject: "the problem document"))
    }

    init(_ object: ReceivedObject) throws(IssuanceError) {
        type = IssuanceErrorType(urn: try object.optionalString("type") ?? "")
        let title = try object.optionalString("title")
        detail = AuthorityText.shown(try object.optionalString("detail") ?? title ?? "")
        let all = try object.optionalObjects("subproblems", subject: "a subproblem") ?? []
        subproblemCount = all.count
        var subproblems: [Subproblem] = []
        for object in all.prefix(Self.subproblemLimit) {
            subproblems.append(
                Subproblem(
                    type: IssuanceErrorType(urn: try object.optionalString("type") ?? ""),
                    detail: AuthorityText.shown(try object.optionalString("detail") ?? ""),
                    identifier: try object.optionalObject("identifier")?.optionalString("value")
                        .map { AuthorityText.shown($0) }))
        }
        self.subproblems = subproblems
    }

    /// The reason in one clause; empty if the CA gives none at all.
    package var message: String {
        var parts = detail.isEmpty ? [] : [detail]
        for subproblem in subproblems {
            let text = "\(subproblem.type.rawValue): \(subproblem.detail)"
            parts.append(subproblem.identifier.map { "\($0): \(text)" } ?? text)
        }
        if subproblemCount > subproblems.count {
            parts.append(counted(subproblemCount - subproblems.count, "further problem"))
        }
        return parts.joined(separator: "; ")
    }

    /// The failure of an order whose name was not validated, or that the CA has given up.
    func error(_ what: String) -> IssuanceError {
        IssuanceError(type, message.isEmpty ? "\(what), and the CA gives no reason" : message)
    }
}
