/// The events so far.
struct StubAuthorityLog: Sendable {
    /// In the order in which they came.
    var requests: [StubAuthority.Request] = []
    /// The rules that clients have broken.
    var violations: [String] = []
    var certificates: [StubAuthority.Certificate] = []
    var attempts: [StubAuthority.Attempt] = []
}
