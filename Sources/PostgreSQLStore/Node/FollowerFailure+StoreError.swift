internal import SiteStore

extension FollowerFailure {
    init(_ error: StoreError) {
        let kind: Kind =
            switch error.kind {
            case .unreachable, .authentication, .timeout, .missingLibrary, .usage: .unreachable
            case .notInitialised: .notInitialised
            case .schemaNewer: .schemaNewer
            case .schemaOlder: .schemaOlder
            case .permissionDenied: .permissionDenied
            case .readOnly: .readOnly
            case .lockTimeout, .damaged, .conflict, .other: .other
            }
        self.init(kind, error.brief, help: error.ofNode.help, isConnectionLost: error.isConnectionLost)
    }
}
