extension StubAuthority {
    /// The resources that a client can ask for.
    package enum Resource: String, CaseIterable, Sendable {
        case directory, newNonce, newAccount, account, newOrder, order, authorization, challenge, finalize, certificate
        case renewalInfo
    }

    /// A request as it came in.
    package struct Request: Sendable {
        package let resource: Resource
        package let method: String
        package let path: String
        package let fields: [(name: String, value: String)]
        /// When it came, on the clock of `Waiting.seconds`.
        package let time = Waiting.seconds
        /// The JSON text that was signed; empty for POST-as-GET, nil for GET and HEAD.
        package internal(set) var payload: String?
        /// The URL of the account that has signed it.
        package internal(set) var account: String?
        /// The name that it is about, if the authority knows it.
        package internal(set) var domain: String?
        /// The certificate that a `newOrder` replaces.
        package internal(set) var replaces: String?
        /// The status of the answer; nil as long as there is none.
        package internal(set) var status: Int?

        /// The value of the first field of a name.
        package subscript(name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }
}
