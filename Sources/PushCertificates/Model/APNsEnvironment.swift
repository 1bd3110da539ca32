/// One of Apple's two push servers.
public enum APNsEnvironment: String, Sendable, CaseIterable {
    case sandbox
    case production
}
