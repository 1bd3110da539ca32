package import Diagnostics
internal import SiteStore

/// Why a store cannot be used, in one sentence without secrets.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of causes, as far as somebody acts differently on them.
    package enum Kind: Sendable {
        case usage, missingLibrary, unreachable, authentication, notInitialised, schemaNewer, schemaOlder
        case permissionDenied, timeout, lockTimeout, readOnly, damaged, conflict, other
    }

    package let kind: Kind
    /// One clause, lower case, without a full stop.
    package let message: String
    /// The remedy.
    package let help: String?
    /// Whether the connection cannot be used any more.
    package let isConnectionLost: Bool

    package init(_ kind: Kind, _ message: String, help: String? = nil, isConnectionLost: Bool = false) {
        self.kind = kind
        self.message = message
        self.help = help
        self.isConnectionLost = isConnectionLost
    }

    package var description: String { message }

    /// The rule that findings about it have; nil if there is none.
    package var rule: RuleDescription? {
        switch kind {
        case .unreachable, .authentication, .timeout: .storeUnreachable
        case .notInitialised: .storeNotInitialised
        case .schemaNewer: .storeSchemaNewer
        case .schemaOlder: .storeSchemaOlder
        case .permissionDenied: .storePermissionDenied
        case .usage, .missingLibrary, .lockTimeout, .readOnly, .damaged, .conflict, .other: nil
        }
    }
}
