import LinkDelivery

/// The objects that the modules of the app share: where links arrive, and what they wait for.
@MainActor
public final class AppLinks {
    public let center: UserActivityCenter
    public let interface: Gate
    public let login: Gate

    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        openInBrowser: @escaping @MainActor (UserActivity) async -> Void
    ) {
        center = UserActivityCenter(pending: .latest(for: .seconds(600)), clock: clock, openInBrowser: openInBrowser)
        interface = center.addGate("interface ready")
        login = center.addGate("logged in")
    }
}
