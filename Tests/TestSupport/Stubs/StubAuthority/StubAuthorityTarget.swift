/// The target that the path of a request stands for.
struct StubAuthorityTarget {
    let resource: StubAuthority.Resource
    /// The number of an order, an authorization and so on.
    var number = 0
    /// The index of a challenge in its authorization.
    var index: Int?
    /// In a question about a renewal.
    var certificate = ""

    /// Nil for a path that the authority has not.
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch (parts.first, parts.count) {
        case ("directory", 1): resource = .directory
        case ("new-nonce", 1): resource = .newNonce
        case ("new-account", 1): resource = .newAccount
        case ("new-order", 1): resource = .newOrder
        case ("renewal-info", 2):
            resource = .renewalInfo
            certificate = parts[1]
        case (let name?, 2):
            let resources: [String: StubAuthority.Resource] = [
                "account": .account, "order": .order, "authorization": .authorization, "finalize": .finalize,
                "certificate": .certificate,
            ]
            guard let resource = resources[name], let number = Int(parts[1]) else { return nil }
            self.resource = resource
            self.number = number
        case ("challenge", 3):
            guard let number = Int(parts[1]), let index = Int(parts[2]), index >= 0 else { return nil }
            (resource, self.number, self.index) = (.challenge, number, index)
        default: return nil
        }
    }

    /// The methods that it takes.
    var methods: [String] {
        switch resource {
        case .directory, .renewalInfo: ["GET"]
        case .newNonce: ["GET", "HEAD"]
        default: ["POST"]
        }
    }
}
