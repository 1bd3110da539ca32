package import Diagnostics

/// Why a store cannot be used, in one sentence without secrets.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of causes, as far as somebody acts differently on them.
    package enum Kind: Sendable {
        case usage, missingLibrary, unreachable, authentication, notInitialised, schemaNewer, schemaOlder
        case permissionDenied, timeout, lockTimeout, readOnly, damaged, conflict, other
    }

    package let kind: Kind
    /// One clause, lower case, without a full stop.
    package let message: String
    /// The same without the address of the store, for findings that have it in their place.
    package let brief: String
    /// The remedy.
    package let help: String?
    /// The user that lacks a right which a role has, as SQL names it; nil for other causes.
    private let deniedUser: String?
    /// Whether the connection cannot be used any more.
    package let isConnectionLost: Bool

    /// - Parameter brief: nil if the message does not have the address of the store.
    package init(
        _ kind: Kind, _ message: String, brief: String? = nil, help: String? = nil, deniedUser: String? = nil,
        isConnectionLost: Bool = false
    ) {
        self.kind = kind
        self.message = message
        self.brief = brief ?? message
        self.help = help
        self.deniedUser = deniedUser
        self.isConnectionLost = isConnectionLost
    }

    /// The same error of another connection than the one that is in use, or of one that is lost with it.
    package func on(lostConnection isConnectionLost: Bool) -> StoreError {
        StoreError(
            kind, message, brief: brief, help: help, deniedUser: deniedUser, isConnectionLost: isConnectionLost)
    }

    /// The same error of a node, whose user needs another role than that of somebody who publishes.
    package var ofNode: StoreError {
        guard let deniedUser else { return self }
        return StoreError(
            kind, message, brief: brief, help: "run as an administrator: GRANT aasa_node TO \(deniedUser)",
            isConnectionLost: isConnectionLost)
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

    /// The rule of a node's finding about it, which cannot follow the store for whatever reason.
    package var ruleOfNode: RuleDescription { rule ?? .storeUnreachable }
}
