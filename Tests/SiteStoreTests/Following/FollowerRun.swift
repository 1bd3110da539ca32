import Diagnostics
import FuzzingSupport
import SiteStore

/// A state machine that is given events by hand.
struct FollowerRun {
    var state: FollowerState
    var now: Int64 = 1_000
    private(set) var action: FollowerAction
    private(set) var notices: [FollowerNotice]
    private var random = SplitMix64(seed: 1)

    static let address = "user 'node' at db.internal:5432, database 'links'"
    static let lost = StoreError(.unreachable, "server closed the connection", isConnectionLost: true)
    static let refused = StoreError(.unreachable, "connection refused")

    init(cached: StorePosition? = nil, poll: Int64 = 30_000, sharesTicketKeys: Bool = false) {
        state = FollowerState(
            FollowerSettings(address: Self.address, poll: poll, sharesTicketKeys: sharesTicketKeys), cached: cached,
            now: now)
        let step = state.start(now: now)
        (action, notices) = (step.action, step.notices)
    }

    /// Gives an event, after some milliseconds.
    @discardableResult
    mutating func after(_ milliseconds: Int64, _ event: FollowerEvent) -> FollowerAction {
        now += milliseconds
        let step = state.handle(event, now: now, random: &random)
        (action, notices) = (step.action, step.notices)
        return action
    }

    /// Gives an event, after a millisecond.
    @discardableResult
    mutating func after(_ event: FollowerEvent) -> FollowerAction { after(1, event) }

    /// Answers all actions as a store does that has a generation and works, until the node waits.
    mutating func follow(to position: StorePosition, files: Int = 1, hasNotifications: Bool = true) {
        for _ in 0..<20 {
            let held = state.held
            let read = FollowerRead(position: position, tokenAtHeld: held?.token, files: files, rows: files)
            switch action {
            case .wait, .stop: return
            case .connect: after(.connected)
            case .close: after(.closed)
            case .listen: after(.listening)
            case .readPosition: after(.positionRead(read))
            case .readChanges: after(.changesRead(read))
            case .readEverything: after(.everythingRead(read))
            case .applyCache, .apply, .readOlderVersions: after(.applied(files: files, withoutGoodVersion: 0))
            case .writeCache: after(.cacheWritten)
            case .testListening: after(.selfTestEnded(hasArrived: hasNotifications, isNotified: false))
            case .heartbeat: after(.heartbeatDone(isNameShared: false))
            case .renewTicketKeys: after(.ticketKeysRead(isFresh: true))
            }
        }
    }

    /// A node that follows a store and waits.
    static func following(_ generation: Int64 = 5, poll: Int64 = 30_000, hasNotifications: Bool = true) -> FollowerRun {
        var run = FollowerRun(poll: poll)
        run.follow(to: SampleStore.position(generation), hasNotifications: hasNotifications)
        return run
    }

    static func read(_ generation: Int64, atHeld held: Int64? = nil, files: Int = 1) -> FollowerRead {
        FollowerRead(
            position: SampleStore.position(generation), tokenAtHeld: held.map { SampleStore.position($0).token },
            files: files, rows: files)
    }

    /// The time until which the node waits, from now; nil if it does something else.
    var wait: Int64? { if case .wait(let until) = action { until - now } else { nil } }

    /// The codes of the findings that were reported, `-` before those that were withdrawn.
    var codes: [String] {
        notices.compactMap { notice in
            switch notice {
            case .report(let finding): finding.diagnostic.code.rawValue
            case .withdraw(let rule): "-\(rule.code.rawValue)"
            default: nil
            }
        }
    }

    var lines: [String] { notices.compactMap { if case .log(_, let text) = $0 { text } else { nil } } }

    /// Whether requests are answered from now on, and from the cache; nil if nothing was said.
    var ready: Bool? { notices.compactMap { if case .ready(let isFromCache) = $0 { isFromCache } else { nil } }.first }
}
