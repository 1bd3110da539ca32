internal import Diagnostics

extension FollowerState {
    mutating func take(
        _ event: FollowerEvent, _ now: Int64, _ random: inout some RandomNumberGenerator,
        _ notices: inout [FollowerNotice]
    ) {
        if let retry = cacheRetryAt, now >= retry {
            cacheRetryAt = nil
            isCacheDue = true
        }
        switch event {
        case .connected: connect(now)
        case .closed: close(now, &random)
        case .failed(let failure): fail(failure, now, &random, &notices)
        case .listening:
            listening = .untested
            beginReading(now)
        case .positionRead(let read): compare(read, now, &notices)
        case .changesRead(let read): takeChanges(read, now, &notices)
        case .everythingRead(let read): takeEverything(read, now, &notices)
        case .applied(let files, let withoutGoodVersion): applied(files, withoutGoodVersion, now, &notices)
        case .cacheWritten:
            isCacheDue = false
            cacheRetryAt = nil
            if isCacheUnwritable {
                isCacheUnwritable = false
                notices.append(.withdraw(.storeCacheUnwritable))
            }
        case .cacheFailed(let finding):
            isCacheDue = false
            cacheRetryAt = now + settings.poll
            if !isCacheUnwritable {
                isCacheUnwritable = true
                notices.append(.report(finding))
            }
        case .selfTestEnded(let hasArrived, let isNotified): tested(hasArrived, isNotified, now, &notices)
        case .heartbeatDone(let isShared): heartbeatDone(isShared, now, &notices)
        case .ticketKeysRead(let isFresh):
            ticketKeysAt = now + Self.heartbeatInterval
            areTicketKeysRefused = false
            if isFresh {
                sharedKeysSeenAt = now
            } else if sharedKeysSeenAt != nil {
                sharedKeysSeenAt = nil
                notices.append(.useOwnTicketKeys)
            }
        case .notified:
            // Whatever its number: a store that was made anew, or an older dump of it, counts from a lower one again.
            isPositionDue = true
        case .timeOut: break
        case .fullReadRequested:
            isFullReadDue = true
            readAt = now
            if !isConnected { connectAt = min(connectAt, now) }
        case .stopRequested: end = end ?? .requested
        }
    }

    /// Answers requests from now on.
    mutating func becomeReady(_ notices: inout [FollowerNotice]) {
        guard !isReady else { return }
        isReady = true
        notices.append(.ready(isFromCache: !hasBeenRead))
        if !hasBeenRead, let held {
            notices.append(
                .log(.warning, "serving generation \(held.generation) from the cache, as the store does not answer"))
        }
    }

    // MARK: The connection

    private mutating func connect(_ now: Int64) {
        isConnected = true
        connectedAt = now
        readAt = min(readAt, now)
        isConnectionRead = false
        listening = .notYet
        if hasBeenConnected { reconnects += 1 }
        hasBeenConnected = true
    }

    /// Reads the position first on a connection, after it listens: so a change in between is seen twice, not never.
    private mutating func beginReading(_ now: Int64) {
        isPositionDue = true
        selfTestAt = listening == .untested ? now : nil
        ticketKeysAt = min(ticketKeysAt, now)
    }

    private mutating func close(_ now: Int64, _ random: inout some RandomNumberGenerator) {
        if isConnected, now - connectedAt >= Self.goodConnection { failures = 0 }
        isClosing = false
        isConnected = false
        listening = .notYet
        // After the next read.
        if isHeartbeatDue { (isHeartbeatDue, heartbeatAt) = (false, now) }
        waitToConnect(now, &random)
    }

    private mutating func waitToConnect(_ now: Int64, _ random: inout some RandomNumberGenerator) {
        failures += 1
        connectAt = now + FollowerBackoff.delay(failures: failures, random: &random)
    }

    // MARK: Failures

    private mutating func fail(
        _ failure: StoreError, _ now: Int64, _ random: inout some RandomNumberGenerator,
        _ notices: inout [FollowerNotice]
    ) {
        if failure.isConnectionLost, isConnected { isClosing = true }
        switch lastAction {
        case .connect:
            waitToConnect(now, &random)
            complain(failure, now, &notices)
        case .readOlderVersions:
            // The first answer of the server holds; all is read again when that can be done.
            areOlderVersionsDue = false
            isFullReadDue = true
            if !isClosing { retryReads(now, &random) }
            complain(failure, now, &notices)
            finishApplying(now, &notices)
        case _ where isClosing: complain(failure, now, &notices)
        case .heartbeat: refuseHeartbeat(failure, now, &notices)
        case .renewTicketKeys: refuseTicketKeys(failure, now, &notices)
        case .testListening: selfTestAt = now + Self.selfTestPause
        case .listen: refuseListening(failure, now, &notices)
        default:
            retryReads(now, &random)
            complain(failure, now, &notices)
        }
        guard !isReady, isClosing || !isConnected || readFailures > 0 else { return }
        if isCacheApplied {
            becomeReady(&notices)
        } else if held == nil {
            end = .nothingToServe(failure)
        }
    }

    private mutating func retryReads(_ now: Int64, _ random: inout some RandomNumberGenerator) {
        readFailures += 1
        readAt = now + FollowerBackoff.delay(failures: readFailures, random: &random)
    }

    /// Reports what keeps the node from following: each reason in place of the one before, then a line a minute.
    private mutating func complain(_ failure: StoreError, _ now: Int64, _ notices: inout [FollowerNotice]) {
        let finding = LocatedDiagnostic(failure.ruleOfNode, settings.address, failure.brief, help: failure.help)
        if var known = trouble, known.rule.code == failure.ruleOfNode.code, known.message == failure.brief {
            guard now - known.logged >= Self.quietInterval else { return }
            known.logged = now
            trouble = known
            let seconds = (now - known.since) / 1_000
            notices.append(.log(.warning, "\(finding.logLine) (for \(grouped(seconds)) s now)"))
        } else {
            let since = trouble?.since ?? now
            if let known = trouble { notices.append(.withdraw(known.rule)) }
            trouble = Trouble(rule: failure.ruleOfNode, message: failure.brief, since: since, logged: now)
            let seconds = (now - since) / 1_000
            let duration = seconds > 0 ? "; the store was not followed for \(grouped(seconds)) s before" : ""
            notices.append(
                .report(
                    LocatedDiagnostic(
                        failure.ruleOfNode, settings.address, failure.brief + duration, help: failure.help)))
        }
    }

    /// The store was read, or nothing was new.
    private mutating func recover(_ now: Int64, _ notices: inout [FollowerNotice]) {
        readFailures = 0
        hasBeenRead = true
        isConnectionRead = true
        guard let known = trouble else { return }
        trouble = nil
        notices.append(.withdraw(known.rule))
        let seconds = (now - known.since) / 1_000
        notices.append(.log(.note, "the store can be followed again, after \(grouped(seconds)) s"))
    }

    // MARK: Reads

    private mutating func compare(_ read: FollowerRead, _ now: Int64, _ notices: inout [FollowerNotice]) {
        isPositionDue = false
        pollAt = now + poll
        guard let held else { return }
        if read.position == heldBack?.position {
            recover(now, &notices)
            return becomeReady(&notices)
        }
        switch StoreHistory(held: held, current: read.position, token: read.tokenAtHeld) {
        case .unchanged:
            recover(now, &notices)
            if isCacheUnwritable { isCacheDue = true }
            becomeReady(&notices)
        case .behind: areChangesDue = true
        case .rewritten: rewritten(read.position, held, &notices)
        }
    }

    private mutating func rewritten(
        _ position: StorePosition, _ held: StorePosition, _ notices: inout [FollowerNotice]
    ) {
        areChangesDue = false
        isFullReadDue = true
        guard !isHistoryRewritten else { return }
        isHistoryRewritten = true
        let problem =
            position.storeID != held.storeID
            ? "the store is another one than before"
            : position.generation < held.generation
                ? "the store is at generation \(position.generation), and was at \(held.generation)"
                : "generation \(held.generation) of the store is another one than before"
        notices.append(
            .report(LocatedDiagnostic(.storeHistoryRewritten, settings.address, "\(problem); all of it is read anew")))
    }

    private mutating func takeChanges(_ read: FollowerRead, _ now: Int64, _ notices: inout [FollowerNotice]) {
        areChangesDue = false
        pollAt = now + poll
        guard let held else { return }
        // It may have been rewritten since the position was read.
        if StoreHistory(held: held, current: read.position, token: read.tokenAtHeld) == .rewritten {
            return rewritten(read.position, held, &notices)
        }
        if isHeldBack(read, now, &notices) { return }
        pending = (read, false)
        isApplyDue = true
    }

    private mutating func takeEverything(_ read: FollowerRead, _ now: Int64, _ notices: inout [FollowerNotice]) {
        isFullReadDue = false
        areChangesDue = false
        isPositionDue = false
        pollAt = now + poll
        guard read.files == 0, heldFiles > 0 else {
            if isHeldBack(read, now, &notices) { return }
            pending = (read, true)
            isApplyDue = true
            return
        }
        // Nothing takes away what is served: a database that was just made has no files, either.
        recover(now, &notices)
        if !isEmptied {
            isEmptied = true
            isHeartbeatDue = !isHeartbeatRefused
            let problem =
                "the store has no files any more, at generation \(read.position.generation); what was served before stays"
            notices.append(.report(LocatedDiagnostic(.storeEmptied, settings.address, problem)))
        }
        becomeReady(&notices)
    }

    /// Whether a read would end more sites than may end without a confirmation. Nothing of it is taken over until then.
    private mutating func isHeldBack(
        _ read: FollowerRead, _ now: Int64, _ notices: inout [FollowerNotice]
    ) -> Bool {
        guard let removal = read.removal else { return false }
        // Without a date the store may have gone on since it was read first, and who confirms knows of that one.
        let first = heldBack.flatMap { held in
            held.removal.isDated || removal.isDated || held.position.storeID != read.position.storeID
                ? nil : held.removal
        }
        let shown = first.map { removal.named($0.generation) } ?? removal
        if let confirmed = read.confirmed, confirmed >= shown.generation { return false }
        recover(now, &notices)
        if isEmptied, read.files > 0 {
            isEmptied = false
            notices.append(.withdraw(.storeEmptied))
        }
        if heldBack?.removal != shown {
            if heldBack != nil { notices.append(.withdraw(.storeMassRemoval)) }
            notices.append(
                .report(
                    LocatedDiagnostic(
                        .storeMassRemoval, settings.address, "\(shown.text); what was served before stays",
                        help:
                            "if that is meant, run 'aasa store confirm \(shown.generation)'; otherwise publish what is missing"
                    )))
        }
        // Who waits for the nodes has to know of this one, also in a store that was made anew.
        if heldBack?.position != read.position { isHeartbeatDue = !isHeartbeatRefused }
        heldBack = (shown, read.position)
        becomeReady(&notices)
        return true
    }

    private mutating func applied(
        _ files: Int, _ withoutGoodVersion: Int, _ now: Int64, _ notices: inout [FollowerNotice]
    ) {
        if lastAction == .applyCache {
            isCacheApplied = true
            held = cachedPosition
            heldFiles = files
            return
        }
        isApplyDue = false
        areOlderVersionsDue = false
        guard let pending else { return }
        held = pending.read.position
        heldFiles = files
        if withoutGoodVersion > 0, lastAction == .apply, isConnected {
            areOlderVersionsDue = true
        } else {
            recover(now, &notices)
            finishApplying(now, &notices)
        }
    }

    private mutating func finishApplying(_ now: Int64, _ notices: inout [FollowerNotice]) {
        guard let (read, isComplete) = pending else { return }
        pending = nil
        if heldBack != nil {
            heldBack = nil
            notices.append(.withdraw(.storeMassRemoval))
        }
        hasBeenRead = true
        isCacheDue = true
        isHeartbeatDue = !isHeartbeatRefused
        if !isComplete, isHistoryRewritten {
            isHistoryRewritten = false
            notices.append(.withdraw(.storeHistoryRewritten))
        }
        if isEmptied, read.files > 0 {
            isEmptied = false
            notices.append(.withdraw(.storeEmptied))
        }
        becomeReady(&notices)
    }
}
