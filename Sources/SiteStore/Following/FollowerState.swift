internal import Diagnostics

/// A node that follows a store, as a state machine: an event goes in, and what to do next comes out (store.md, section 7).
///
/// One thread carries the actions out, one at a time. Times are milliseconds of a clock that never goes back.
package struct FollowerState: Sendable {
    /// When a node with a cache answers requests although the store has not answered yet, in milliseconds from the start.
    /// Whoever waits for `.ready` in another thread than that of the actions may go on then, too.
    package static let startLimit: Int64 = 5_000
    /// The interval of polls where notifications do not arrive, or may not.
    static let shortPoll: Int64 = 5_000
    static let heartbeatInterval: Int64 = 10_000
    /// The pause after a heartbeat that was refused, and between log lines that say the same.
    static let quietInterval: Int64 = 60_000
    static let selfTestPause: Int64 = 30_000
    /// The time that a connection has to last before failures are counted anew.
    static let goodConnection: Int64 = 60_000
    static let ticketKeyLimit: Int64 = 7_200_000

    /// Whether notifications arrive.
    enum Listening: Sendable {
        case notYet, untested, works, broken
    }

    /// The cause that keeps the node from following.
    struct Trouble: Sendable {
        let rule: RuleDescription
        let message: String
        let since: Int64
        var logged: Int64
    }

    package var settings: FollowerSettings
    /// Where the node is; nil before anything was read.
    package internal(set) var held: StorePosition?
    /// The number of files in the image.
    var heldFiles = 0
    /// The number of connections after the first.
    package internal(set) var reconnects: UInt64 = 0
    package internal(set) var isReady = false
    package internal(set) var isConnected = false
    var listening = Listening.notYet

    private let cached: StorePosition?
    let startedAt: Int64
    var isCacheApplied = false
    var lastAction = FollowerAction.connect
    var end: FollowerEnd?
    var trouble: Trouble?

    // The connection.
    var hasBeenConnected = false
    var connectedAt: Int64 = 0
    var isClosing = false
    var failures = 0
    var connectAt: Int64

    // Reads.
    var isFullReadDue: Bool
    var isPositionDue = false
    var areChangesDue = false
    var readFailures = 0
    var readAt: Int64 = 0
    var pollAt: Int64 = 0
    var pending: (read: FollowerRead, isComplete: Bool)?
    var isApplyDue = false
    var areOlderVersionsDue = false
    var isHistoryRewritten = false
    var isEmptied = false
    /// The removal that waits to be confirmed, and where the store was when it was read last.
    var heldBack: (removal: MassRemoval, position: StorePosition)?

    // What is done when there is nothing to read.
    var heartbeatAt: Int64 = 0
    /// Whether there is a snapshot that no heartbeat has told of.
    var isHeartbeatDue = false
    var isHeartbeatRefused = false
    /// When a heartbeat found that of another node with the same name.
    var nameSharedAt: Int64?
    var ticketKeysAt: Int64 = 0
    var areTicketKeysRefused = false
    var sharedKeysSeenAt: Int64?
    /// Whether something was read over this connection.
    var isConnectionRead = false
    /// When the self-test of this connection is due; nil if it is not.
    var selfTestAt: Int64?
    var isListenBroken = false
    var isListenNoted = false
    var isCacheDue = false
    var isCacheUnwritable = false
    var cacheRetryAt: Int64?

    /// - Parameters:
    ///   - cached: the position of the cache; nil without one.
    ///   - now: the time of the start.
    package init(_ settings: FollowerSettings, cached: StorePosition?, now: Int64) {
        self.settings = settings
        self.cached = cached
        startedAt = now
        connectAt = now
        isFullReadDue = cached == nil
        isCacheDue = cached != nil && settings.isCacheDamaged
    }

    /// Whether the database answers.
    package var isUp: Bool { isConnected && trouble == nil && hasBeenRead }

    /// Whether notifications are known to arrive.
    package var isListening: Bool { isConnected && listening == .works }

    /// Whether what is served comes from the cache, because the store was not read yet.
    package var isFromCache: Bool { isCacheApplied && !hasBeenRead }

    /// Whether the store was read, or compared, since the start.
    package internal(set) var hasBeenRead = false

    /// The first step.
    package mutating func start(now: Int64) -> FollowerStep {
        var notices: [FollowerNotice] = []
        return step(&notices, now)
    }

    /// The step after an event, which the last action has yielded.
    package mutating func handle(
        _ event: FollowerEvent, now: Int64, random: inout some RandomNumberGenerator
    ) -> FollowerStep {
        var notices: [FollowerNotice] = []
        take(event, now, &random, &notices)
        return step(&notices, now)
    }

    private mutating func step(_ notices: inout [FollowerNotice], _ now: Int64) -> FollowerStep {
        if !isReady, isCacheApplied, now - startedAt >= Self.startLimit { becomeReady(&notices) }
        if let seen = sharedKeysSeenAt, now - seen >= Self.ticketKeyLimit {
            sharedKeysSeenAt = nil
            notices.append(.useOwnTicketKeys)
        }
        lastAction = nextAction(now)
        return FollowerStep(notices: notices, action: lastAction)
    }

    private mutating func nextAction(_ now: Int64) -> FollowerAction {
        if let end {
            // The next start may be without the database.
            return isCacheDue && end == .requested ? .writeCache : .stop(end)
        }
        if isClosing { return .close }
        if cached != nil, !isCacheApplied { return .applyCache }
        // What was read is served, whatever has become of the connection.
        if isApplyDue { return .apply }
        guard isConnected else {
            if isCacheDue { return .writeCache }
            if now >= connectAt { return .connect }
            return .wait(until: min(connectAt, cacheRetryAt.map { max($0, now + 1) } ?? .max))
        }
        if listening == .notYet { return .listen }
        if areOlderVersionsDue { return .readOlderVersions }
        // Who waits for a publication waits for this one.
        if isHeartbeatDue { return .heartbeat }
        // Before the next read: the cache is at most one change late.
        if isCacheDue { return .writeCache }
        if now >= readAt {
            guard let held else { return .readEverything }
            if isFullReadDue { return .readEverything }
            if areChangesDue { return .readChanges(held: held) }
            if isPositionDue || now >= pollAt { return .readPosition(held: held) }
        }
        if hasBeenRead, now >= heartbeatAt { return .heartbeat }
        if hasBeenRead, settings.sharesTicketKeys, now >= ticketKeysAt { return .renewTicketKeys }
        if isConnectionRead, let selfTestAt, now >= selfTestAt { return .testListening }
        return .wait(until: max(nextTime, now + 1))
    }

    /// When something is due, if nothing happens before.
    private var nextTime: Int64 {
        let isReadDue = isFullReadDue || areChangesDue || isPositionDue || held == nil
        var times = [isReadDue ? readAt : max(readAt, pollAt)]
        if hasBeenRead {
            times.append(heartbeatAt)
            if settings.sharesTicketKeys { times.append(ticketKeysAt) }
        }
        if isConnectionRead, let selfTestAt { times.append(selfTestAt) }
        if let cacheRetryAt { times.append(cacheRetryAt) }
        return times.min() ?? readAt
    }

    /// The position that the cache has applied.
    var cachedPosition: StorePosition? { cached }

    /// The pause between polls.
    var poll: Int64 { listening == .works ? settings.poll : min(settings.poll, Self.shortPoll) }
}
