/// Whom a request claims to be.
package enum Agent: String, Sendable, CaseIterable {
    /// Apple's fetcher.
    case appleBot = "AASA-Bot"
    /// A device.
    case device = "CFNetwork"
    case browser

    /// The value that is sent as `User-Agent`.
    package var userAgent: String {
        switch self {
        case .appleBot: "AASA-Bot/1.0.0"
        case .device: "swcd (unknown version) CFNetwork/1568.200.51 Darwin/24.1.0"
        case .browser:
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/18.1 Mobile/15E148 Safari/604.1"
        }
    }
}
