/// What notifications are sent to: a bundle ID, perhaps with a suffix, or the like.
public struct Topic: Hashable, Sendable {
    public let name: String
    /// As they stand in the certificate, such as `topic` or `voip`; empty if it does not say.
    public let purposes: [String]

    public init(name: String, purposes: [String] = []) {
        self.name = name
        self.purposes = purposes
    }
}
