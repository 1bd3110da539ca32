internal import Diagnostics
internal import EventLoops
internal import Logging
internal import OpenSSL
internal import SiteStore
internal import SystemSupport

/// The thread of a node: carries out what `FollowerState` asks for, one action after the other.
final class NodeDriver {
    let node: StoreNode
    let host: any StoreHost
    let cache: StoreCache
    var state: FollowerState
    var connection: StoreConnection?
    var random = SystemRandomNumberGenerator()
    var status = StoreStatus()
    private let startedAt: Int64

    /// The image in memory; nil before anything was read.
    private var image: StoreImage?
    private var cached: StoreCache.Contents?
    /// The update that was read last, until the server has all of it.
    private var pending: StoreUpdate?
    private var withoutGoodVersion: [StoreFileKey] = []
    /// The files that the store has changed last, the newest at the end; publishers ask whether they are served.
    private var recent: [StoreFileKey] = []
    private var challenges = StoredChallenges()
    private var isCacheDamaged = false
    /// Whether the store has files that were left out because they would have been too much.
    private var isOmitting = false

    private let instance: String
    private var hasWrittenHeartbeat = false
    private var others = NodeObservation()
    private var cleanUpAt: Int64 = 0
    private var outcome = StoreOutcome()
    private var areTicketKeysBad = false
    /// The findings about odd rows, of the files and of the ticket keys.
    private var oddRows: (files: [LocatedDiagnostic], ticketKeys: [LocatedDiagnostic]) = ([], [])
    /// When a notification of what is to be read came.
    private var noticedAt: Int64?
    /// The channel of the self-test of this connection.
    var testChannel = ""

    static let channel = "aasa_generation"
    private static let cleanUpInterval: Int64 = 3_600_000
    static let testMilliseconds: Int64 = 5_000
    /// At most this many files are reported as not served of those that have changed last, and of all that are refused.
    private static let maxReported = 100

    init(_ cache: StoreCache, _ node: StoreNode, _ host: any StoreHost) {
        self.node = node
        self.host = host
        self.cache = cache
        instance = Self.randomHex(8)
        startedAt = Clock.monotonicMilliseconds()
        status.node = node.name
        do throws(DatabaseError) {
            cached = try cache.read()
        } catch {
            isCacheDamaged = true
            host.report(error.readingFinding)
        }
        var settings = FollowerSettings(
            address: node.settings.address.description, poll: Int64(node.settings.poll * 1_000),
            sharesTicketKeys: node.settings.keyFile != nil)
        settings.isCacheDamaged = isCacheDamaged
        state = FollowerState(settings, cached: cached?.image.position, now: startedAt)
    }

    /// Follows until it is stopped.
    func run() {
        host.show(status)
        var step = state.start(now: Clock.monotonicMilliseconds())
        while true {
            for notice in step.notices { take(notice) }
            if case .stop(let end) = step.action { return finish(end) }
            var event = perform(step.action)
            if node.inbox.isStopping {
                // A cache that was written is not written again in the end.
                if step.action == .writeCache {
                    step = state.handle(event, now: Clock.monotonicMilliseconds(), random: &random)
                    for notice in step.notices { take(notice) }
                }
                event = .stopRequested
            }
            if case .notified = event { noticedAt = noticedAt ?? Clock.monotonicMilliseconds() }
            if isWait(step.action), isQuiet(event) {
                let full = node.inbox.takeFullRead()
                if let poll = full.poll { state.settings.poll = poll }
                if full.isDue { event = .fullReadRequested }
            }
            state.settings.sharesTicketKeys = node.ring != nil
            step = state.handle(event, now: Clock.monotonicMilliseconds(), random: &random)
            show()
        }
    }

    /// Whether nothing is lost if the store is read anew instead.
    private func isQuiet(_ event: FollowerEvent) -> Bool {
        switch event {
        case .timeOut, .notified: true
        default: false
        }
    }

    private func isWait(_ action: FollowerAction) -> Bool { if case .wait = action { true } else { false } }

    private func finish(_ end: FollowerEnd) {
        signOff()
        connection = nil
        switch end {
        case .requested:
            node.inbox.finishStart(.failed(StoreError(.other, "stopped before there was anything to serve")))
        case .nothingToServe(let failure): node.inbox.finishStart(.failed(failure))
        }
    }

    private func take(_ notice: FollowerNotice) {
        switch notice {
        case .report(let finding): host.report(finding)
        case .withdraw(let rule): host.withdraw(rule)
        case .log(let severity, let text):
            switch severity {
            case .error: node.logger.error("\(text)")
            case .warning: node.logger.warning("\(text)")
            default: node.logger.info("\(text)")
            }
        case .ready: node.inbox.finishStart(.ready)
        case .useOwnTicketKeys:
            status.sharedTicketKeys = 0
            host.shareTickets([])
        }
    }

    private func show() {
        if challenges.removeEnded(now: Clock.monotonicMilliseconds()) { host.answer(challenges.all) }
        status.isUp = state.isUp
        status.isListening = state.isListening
        status.isFromCache = state.isFromCache
        status.generation = state.held?.generation ?? 0
        status.reconnects = state.reconnects
        host.show(status)
        node.inbox.show(
            hasAppliedCache: state.held != nil, isConnected: state.isConnected, generation: state.held?.generation)
    }

    private func perform(_ action: FollowerAction) -> FollowerEvent {
        do throws(StoreError) {
            return try attempt(action)
        } catch {
            return .failed(error.ofNode)
        }
    }

    private func attempt(_ action: FollowerAction) throws(StoreError) -> FollowerEvent {
        switch action {
        case .applyCache: return applyCache()
        case .connect:
            connection = try StoreConnection(node.settings.address, .node)
            return .connected
        case .close:
            connection = nil
            return .closed
        case .listen: return try listen()
        case .readPosition(let held):
            let read = try StoreReader.position(after: held, over: connection.required())
            status.lastSync = Clock.wallSeconds()
            if read.position == held { noticedAt = nil }
            return .positionRead(read)
        case .readChanges(let held): return .changesRead(try read(after: held))
        case .readEverything: return .everythingRead(try read(after: nil))
        case .apply: return apply()
        case .readOlderVersions: return try applyOlderVersions()
        case .writeCache: return writeCache()
        case .testListening: return try testListening()
        case .heartbeat: return try heartbeat()
        case .renewTicketKeys: return try renewTicketKeys()
        case .wait(let end):
            // What was read and is held back is read again.
            pending = nil
            return try wait(until: end)
        case .stop: return .stopRequested
        }
    }

    /// Twice as many digits as bytes.
    static func randomHex(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Hexadecimal.text((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}

// MARK: What is served

extension NodeDriver {
    private func applyCache() -> FollowerEvent {
        guard let cached else { return .applied(files: 0, withoutGoodVersion: 0) }
        self.cached = nil
        var image = cached.image
        for update in cached.image.updates(keys: node.ring, isChecked: cached.isChecked) {
            outcome = host.apply(update)
            image.keepServed(outcome)
            // The store may have good versions of what another version of the program has let pass.
            if !outcome.withoutGoodVersion.isEmpty, !cached.isChecked { node.inbox.requestFullRead() }
        }
        // The cache does not say what was left out.
        if host.storeLimits.mayOmit(from: image) { node.inbox.requestFullRead() }
        self.image = image
        return .applied(files: image.files.count, withoutGoodVersion: 0)
    }

    private func read(after held: StorePosition?) throws(StoreError) -> FollowerRead {
        let begin = Clock.monotonicMilliseconds()
        let kind = { (hasFailed: Bool) in StoreStatus.Read(isFull: held == nil, hasFailed: hasFailed) }
        do throws(StoreError) {
            let reading = try StoreReader.changes(
                after: held, image: image, host.storeLimits, over: connection.required())
            var update = StoreUpdate(changes: reading.changes, keys: node.ring)
            update.noticedAt = noticedAt ?? begin
            noticedAt = nil
            pending = update
            // Before the heartbeat says that this node has the generation, and also if the rest is held back.
            if challenges.replace(with: reading.challenges, now: Clock.monotonicMilliseconds()) {
                host.answer(challenges.all)
            }
            show(oddFiles: reading.findings, ticketKeys: oddRows.ticketKeys)
            status.reads[kind(false), default: 0] += 1
            status.readMicroseconds += UInt64(max(0, Clock.monotonicMilliseconds() - begin)) * 1_000
            status.lastSync = Clock.wallSeconds()
            return reading.read
        } catch {
            status.reads[kind(true), default: 0] += 1
            throw error
        }
    }

    private func apply() -> FollowerEvent {
        guard let update = pending else { return .applied(files: image?.files.count ?? 0, withoutGoodVersion: 0) }
        outcome = host.apply(update)
        var image = self.image ?? StoreImage(update.changes.position)
        // The only reference, so that it is changed and not copied.
        self.image = nil
        if update.changes.isComplete || update.changes.omitted != nil { isOmitting = update.changes.omitted != nil }
        if isOmitting, image.hasRoom(after: update.changes) { node.inbox.requestFullRead() }
        image.apply(update.changes)
        withoutGoodVersion = outcome.withoutGoodVersion
        image.keepServed(outcome)
        let changed = update.changes.files.suffix(Self.maxReported).filter { $0.contents != nil }.map(\.key)
        recent = Array((recent + changed + [update.changes.omitted?.first].compactMap { $0 }).suffix(Self.maxReported))
        self.image = image
        if withoutGoodVersion.isEmpty { pending = nil }
        return .applied(files: image.files.count, withoutGoodVersion: withoutGoodVersion.count)
    }

    private func applyOlderVersions() throws(StoreError) -> FollowerEvent {
        guard let update = pending, image != nil else { return .applied(files: 0, withoutGoodVersion: 0) }
        pending = nil
        // The image is bound to no other name, so that it is changed and not copied.
        let files = withoutGoodVersion.compactMap { image?.files[$0] }
        withoutGoodVersion = []
        let limits = host.storeLimits
        for start in stride(from: 0, to: files.count, by: StoreReader.mostBadFiles) {
            let part = Array(files[start..<min(start + StoreReader.mostBadFiles, files.count)])
            var again = StoreUpdate(
                changes: StoreChanges(position: update.changes.position, isComplete: false, files: part),
                keys: update.keys)
            again.noticedAt = update.noticedAt
            again.olderVersions = try StoreReader.older(
                than: part, upTo: limits.fileBytes, over: connection.required())
            outcome = host.apply(again)
            self.image?.keepServed(outcome)
            withoutGoodVersion += outcome.withoutGoodVersion
        }
        return .applied(files: image?.files.count ?? 0, withoutGoodVersion: withoutGoodVersion.count)
    }

    private func writeCache() -> FollowerEvent {
        guard var image else { return .cacheWritten }
        // The only reference, so that it is changed and not copied.
        self.image = nil
        defer { self.image = image }
        do throws(DatabaseError) {
            try cache.save(&image)
        } catch {
            status.cacheFailures += 1
            return .cacheFailed(error.writingFinding)
        }
        status.cacheWritten = Clock.wallSeconds()
        if isCacheDamaged {
            isCacheDamaged = false
            host.withdraw(.storeCacheDamaged)
        }
        return .cacheWritten
    }
}

// MARK: What else a node writes

extension NodeDriver {
    private func heartbeat() throws(StoreError) -> FollowerEvent {
        var beat = NodeHeartbeat(
            node: node.name, instance: instance, programVersion: node.settings.programVersion,
            generation: state.held?.generation ?? 0, token: state.held?.token)
        beat.isListening = state.isListening
        beat.sites = outcome.sites
        beat.stale = outcome.stale
        beat.refused = outcome.refused
        beat.serving = host.serving(reportedFiles)
        beat.age = (Clock.monotonicMilliseconds() - startedAt) / 1_000
        let connection = try connection.required()
        let isShared = try beat.write(hasWritten: hasWrittenHeartbeat, over: connection)
        hasWrittenHeartbeat = true
        if Clock.monotonicMilliseconds() >= cleanUpAt {
            try NodeHeartbeat.cleanUp(over: connection)
            cleanUpAt = Clock.monotonicMilliseconds() + Self.cleanUpInterval
        }
        // Its own row is written, whether the others can be read or not; a lost connection is noticed by what comes next.
        do throws(StoreError) {
            status.nodes = others.look(at: try StoreNodes.all(over: connection), now: Clock.monotonicMilliseconds())
        } catch {}
        return .heartbeatDone(isNameShared: isShared)
    }

    /// The files that publishers may ask about: others are served as the store has them, as far as their names are.
    private var reportedFiles: [StoreFileKey] {
        var files = Set(recent)
        if let image {
            // What was removed since is not asked about.
            files = files.filter { image.files[$0] != nil || isOmitting }
            files.formUnion(image.refused.prefix(Self.maxReported))
            files.formUnion(image.served.keys.prefix(Self.maxReported))
        }
        return files.sorted()
    }

    /// Takes back the row of a node that ends as it is asked to, so that no publisher waits for it.
    private func signOff() {
        guard hasWrittenHeartbeat, let connection else { return }
        // A row that stays is that of a silent node, and is deleted in time.
        try? NodeHeartbeat.signOff(node.name, instance, over: connection)
    }

    private func renewTicketKeys() throws(StoreError) -> FollowerEvent {
        guard let ring = node.ring else { return .ticketKeysRead(isFresh: false) }
        let shared = try SharedTicketKeys(
            ring, now: Clock.monotonicMilliseconds() / 1_000, over: connection.required())
        if shared.isFresh {
            status.sharedTicketKeys = shared.keys.count
            host.shareTickets(shared.keys)
        }
        for finding in shared.findings { host.report(finding) }
        if shared.findings.isEmpty, areTicketKeysBad {
            host.withdraw(.storeKeyMissing)
            host.withdraw(.storeKeyWrong)
        }
        areTicketKeysBad = !shared.findings.isEmpty
        show(oddFiles: oddRows.files, ticketKeys: shared.oddRows)
        return .ticketKeysRead(isFresh: shared.isFresh)
    }

    private func show(oddFiles files: [LocatedDiagnostic], ticketKeys: [LocatedDiagnostic]) {
        guard oddRows != (files, ticketKeys) else { return }
        oddRows = (files, ticketKeys)
        host.withdraw(.storeRowInvalid)
        for finding in files + ticketKeys { host.report(finding) }
    }
}

extension StoreImage {
    fileprivate mutating func keepServed(_ outcome: StoreOutcome) {
        keepServed(
            outcome.servedOlder, refused: outcome.withoutGoodVersion, certificates: outcome.servedOlderCertificates)
    }
}
