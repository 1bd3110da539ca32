internal import Diagnostics

// What a node does while there is nothing to read: tests of LISTEN, heartbeats, ticket keys.
extension FollowerState {
    /// LISTEN was refused, as on a replica.
    mutating func refuseListening(_ failure: StoreError, _ now: Int64, _ notices: inout [FollowerNotice]) {
        listening = .broken
        isPositionDue = true
        selfTestAt = nil
        if failure.kind == .readOnly {
            guard !isListenNoted else { return }
            isListenNoted = true
            notices.append(
                .log(.note, "the database is a replica without notifications; the store is polled every \(pollText)"))
        } else {
            reportBrokenListening(failure.brief, &notices)
        }
    }

    mutating func tested(
        _ hasArrived: Bool, _ isNotified: Bool, _ now: Int64, _ notices: inout [FollowerNotice]
    ) {
        selfTestAt = nil
        if isNotified { isPositionDue = true }
        if hasArrived {
            listening = .works
            isListenNoted = false
            if isListenBroken {
                isListenBroken = false
                notices.append(.withdraw(.storeListenBroken))
            }
        } else {
            listening = .broken
            reportBrokenListening("a notification of this node did not arrive within 5 s", &notices)
        }
        // It was read just before.
        pollAt = hasArrived ? now + poll : min(pollAt, now + poll)
        // The next heartbeat says whether this node listens.
        isHeartbeatDue = !isHeartbeatRefused
    }

    private mutating func reportBrokenListening(_ problem: String, _ notices: inout [FollowerNotice]) {
        guard !isListenBroken else { return }
        isListenBroken = true
        let consequence = "the store is polled every \(pollText)"
        notices.append(
            .report(LocatedDiagnostic(.storeListenBroken, settings.address, "\(problem); \(consequence)")))
    }

    private var pollText: String {
        let milliseconds = min(settings.poll, Self.shortPoll)
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }

    mutating func heartbeatDone(_ isShared: Bool, _ now: Int64, _ notices: inout [FollowerNotice]) {
        heartbeatAt = now + Self.heartbeatInterval
        isHeartbeatDue = false
        if isHeartbeatRefused {
            isHeartbeatRefused = false
            notices.append(.log(.note, "the store takes heartbeats of this node again"))
        }
        if isShared {
            if nameSharedAt == nil {
                let message = "another node of the store has the name of this one"
                notices.append(.report(LocatedDiagnostic(.storeNodeShared, settings.address, message)))
            }
            nameSharedAt = now
        } else if let last = nameSharedAt, now - last >= Self.quietInterval {
            // One of the two may write twice in between.
            nameSharedAt = nil
            notices.append(.withdraw(.storeNodeShared))
        }
    }

    /// A refused heartbeat costs nothing but that nobody sees the node.
    mutating func refuseHeartbeat(_ failure: StoreError, _ now: Int64, _ notices: inout [FollowerNotice]) {
        heartbeatAt = now + Self.quietInterval
        isHeartbeatDue = false
        guard !isHeartbeatRefused else { return }
        isHeartbeatRefused = true
        notices.append(.log(.warning, refusal("heartbeats of this node", failure)))
    }

    mutating func refuseTicketKeys(_ failure: StoreError, _ now: Int64, _ notices: inout [FollowerNotice]) {
        ticketKeysAt = now + Self.quietInterval
        guard !areTicketKeysRefused else { return }
        areTicketKeysRefused = true
        notices.append(.log(.warning, refusal("to share keys of session tickets", failure)))
    }

    private func refusal(_ what: String, _ failure: StoreError) -> String {
        let finding = LocatedDiagnostic(
            failure.ruleOfNode, settings.address, "the store refuses \(what): \(failure.brief)", help: failure.help)
        return finding.logLine
    }
}
