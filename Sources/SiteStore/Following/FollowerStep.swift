package import Diagnostics

/// The settings of following a store.
package struct FollowerSettings: Sendable {
    /// The store, as findings name it: `user 'deploy' at db.internal:5432, database 'links'`.
    package var address: String
    /// `storePoll`, in milliseconds.
    package var poll: Int64
    /// Whether there is a key file, without which ticket keys are not shared.
    package var sharesTicketKeys: Bool
    /// Whether some of the cache could not be read, so that it is to be written anew.
    package var isCacheDamaged = false

    package init(address: String, poll: Int64, sharesTicketKeys: Bool) {
        self.address = address
        self.poll = poll
        self.sharesTicketKeys = sharesTicketKeys
    }
}

/// The result of a read, without the rows.
package struct FollowerRead: Equatable, Sendable {
    /// The position after it.
    package let position: StorePosition
    /// The token of the held generation in the history of the store; nil if it does not have that generation, or nothing is
    /// held.
    package let tokenAtHeld: String?
    /// The number of files that are there and not removed, among the rows that were read.
    package let files: Int
    /// The number of rows.
    package let rows: Int
    /// The removal of many sites that would come with it; nil for none, and for one that is confirmed.
    package let removal: MassRemoval?
    /// The generation up to which removals are confirmed; nil for none.
    package let confirmed: Int64?

    package init(
        position: StorePosition, tokenAtHeld: String?, files: Int = 0, rows: Int = 0, removal: MassRemoval? = nil,
        confirmed: Int64? = nil
    ) {
        self.position = position
        self.tokenAtHeld = tokenAtHeld
        self.files = files
        self.rows = rows
        self.removal = removal
        self.confirmed = confirmed
    }
}

/// One thing to do for a node that follows a store. Each yields one event.
package enum FollowerAction: Equatable, Sendable {
    /// Serve what the cache has: `.applied`, or `.stopRequested` at any time, as after every action.
    case applyCache
    /// Connect: `.connected`, `.failed`. There is no connection before it.
    case connect
    /// Close the connection: `.closed`.
    case close
    /// Listen, and commit that: `.listening`, `.failed`.
    case listen
    /// Read the position, and the token of the held generation: `.positionRead`, `.failed`.
    case readPosition(held: StorePosition)
    /// Read position and rows that are newer than the held generation in one transaction: `.changesRead`, `.failed`.
    case readChanges(held: StorePosition)
    /// Read everything, row by row: `.everythingRead`, `.failed`.
    case readEverything
    /// Hand what was read last to the server: `.applied`.
    case apply
    /// Read older versions of the files that have no good one, and hand the same update to the server again: `.applied`,
    /// `.failed`, after which the first answer of the server holds.
    case readOlderVersions
    /// Write the image to the cache: `.cacheWritten`, `.cacheFailed`.
    case writeCache
    /// Notify from a second connection, and wait on the first: `.selfTestEnded`, `.failed`.
    case testListening
    /// `.heartbeatDone`, `.failed`.
    case heartbeat
    /// Make a ticket key if it is time to, read all, and share them: `.ticketKeysRead`, `.failed`.
    case renewTicketKeys
    /// Wait for a notification, something to read or to stop, or this time: `.notified`, `.fullReadRequested`,
    /// `.stopRequested`, `.timeOut`, and `.failed` for a connection that is lost.
    case wait(until: Int64)
    case stop(FollowerEnd)
}

/// Why a node ends.
package enum FollowerEnd: Equatable, Sendable {
    case requested
    /// There is no cache, and the store cannot be used: exit code 69.
    case nothingToServe(StoreError)
}

/// The result of an action.
package enum FollowerEvent: Equatable, Sendable {
    case connected
    case closed
    case failed(StoreError)
    case listening
    case positionRead(FollowerRead)
    case changesRead(FollowerRead)
    case everythingRead(FollowerRead)
    /// The server has made a snapshot of it.
    ///
    /// - files: the number of files in the image.
    /// - withoutGoodVersion: the number of files of which older versions have to be looked for.
    case applied(files: Int, withoutGoodVersion: Int)
    case cacheWritten
    case cacheFailed(LocatedDiagnostic)
    /// Whether the notification has arrived; and whether others came meanwhile.
    case selfTestEnded(hasArrived: Bool, isNotified: Bool)
    /// - isNameShared: whether another node writes under the same name.
    case heartbeatDone(isNameShared: Bool)
    /// - isFresh: whether the youngest key was made within the last 2 hours.
    case ticketKeysRead(isFresh: Bool)
    /// - generation: that of the last notification that has come; nil if it cannot be read.
    case notified(generation: Int64?)
    case timeOut
    case fullReadRequested
    case stopRequested
}

/// A thing to say or to do at once, besides the action.
package enum FollowerNotice: Equatable, Sendable {
    /// A finding that stays until it is withdrawn.
    case report(LocatedDiagnostic)
    case withdraw(RuleDescription)
    case log(Severity, String)
    /// From now on requests are answered.
    ///
    /// - isFromCache: whether the store has not answered yet.
    case ready(isFromCache: Bool)
    /// No key was shared for 2 hours: the server makes its own.
    case useOwnTicketKeys

    package static func == (left: FollowerNotice, right: FollowerNotice) -> Bool {
        switch (left, right) {
        case (.report(let left), .report(let right)): left == right
        case (.withdraw(let left), .withdraw(let right)): left.code == right.code
        case (.log(let left, let text), .log(let right, let other)): left == right && text == other
        case (.ready(let left), .ready(let right)): left == right
        case (.useOwnTicketKeys, .useOwnTicketKeys): true
        default: false
        }
    }
}

/// The answer to an event.
package struct FollowerStep: Sendable {
    /// In their order, before the action.
    package let notices: [FollowerNotice]
    package let action: FollowerAction
}
