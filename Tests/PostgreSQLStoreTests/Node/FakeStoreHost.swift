import Diagnostics
import Foundation
import Logging
import PostgreSQLStore
import SiteStore
import SystemSupport
import TestSupport

/// A server that takes each file for good whose text does not begin with `bad`, and whose bytes are those of its digest.
final class FakeStoreHost: StoreHost {
    private struct State {
        var served: [StoreFileKey: String] = [:]
        var refused: Set<StoreFileKey> = []
        var stale: Set<StoreFileKey> = []
        var damaged: Set<StoreFileKey> = []
        var certificates: [String: String] = [:]
        var challenges: [StoredChallenge] = []
        var ticketKeys: [[UInt8]] = []
        var status = StoreStatus()
        var findings: [String: String] = [:]
        var reported: [String] = []
        var updates = 0
        var checkedUpdates = 0
        var limits = StoreLimits(sites: 200_000, bytes: 1 << 30, fileBytes: 131_072)
        var omitted: StoreOmission?
        var mostFiles = 0
        var mostBytes = 0
    }

    private let state = Locked(State())

    func apply(_ update: StoreUpdate) -> StoreOutcome {
        state.withLock { state in
            state.updates += 1
            let given = update.changes.files + update.olderVersions.values.joined()
            state.mostFiles = max(state.mostFiles, given.count)
            state.mostBytes = max(state.mostBytes, given.reduce(0) { $0 + ($1.contents?.bytes.count ?? 0) })
            state.omitted = update.changes.omitted ?? (update.changes.isComplete ? nil : state.omitted)
            if update.isChecked { state.checkedUpdates += 1 }
            var outcome = StoreOutcome()
            if update.changes.isComplete {
                let current = Set(update.changes.files.map(\.key))
                state.served = state.served.filter { current.contains($0.key) }
                (state.refused, state.stale, state.certificates) = ([], [], [:])
            }
            for file in update.changes.files { take(file, update, &state, &outcome) }
            for certificate in update.changes.certificates {
                state.certificates[certificate.name] = certificate.isRemoved ? nil : certificate.chain
            }
            (outcome.stale, outcome.refused) = (state.stale.count, state.refused.count)
            outcome.sites = Set(state.served.keys.map(\.domain)).count
            return outcome
        }
    }

    private func take(
        _ file: StoredFile, _ update: StoreUpdate, _ state: inout State, _ outcome: inout StoreOutcome
    ) {
        state.refused.remove(file.key)
        state.stale.remove(file.key)
        state.damaged.remove(file.key)
        guard let text = Self.text(file) else {
            state.served[file.key] = nil
            return
        }
        let isIntact = file.contents?.isIntact ?? true
        if !isIntact { state.damaged.insert(file.key) }
        guard text.hasPrefix("bad") || !isIntact else {
            state.served[file.key] = text
            return
        }
        if state.served[file.key] == nil {
            guard let older = update.olderVersions[file.key]?.first(where: { Self.isGood($0) }) else {
                state.refused.insert(file.key)
                outcome.withoutGoodVersion.append(file.key)
                return
            }
            state.served[file.key] = Self.text(older)
            outcome.servedOlder.append(older)
        }
        state.stale.insert(file.key)
    }

    private static func isGood(_ file: StoredFile) -> Bool { text(file).map { !$0.hasPrefix("bad") } ?? false }

    private static func text(_ file: StoredFile) -> String? {
        file.contents.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// It serves `assetlinks.json` and `a`, and has a certificate of its own for nothing.
    func serving(_ files: [StoreFileKey]) -> NodeServing {
        state.withLock { state in
            var serving = NodeServing(names: ["assetlinks.json", "a"], needsStoreCertificates: true)
            for file in files where state.stale.contains(file) { serving.add(file, because: "stale") }
            for file in files where state.refused.contains(file) { serving.add(file, because: "refused") }
            return serving
        }
    }

    func answer(_ challenges: [StoredChallenge]) { state.withLock { $0.challenges = challenges } }
    func shareTickets(_ keys: [SharedTicketKey]) { state.withLock { $0.ticketKeys = keys.map(\.name) } }
    func show(_ status: StoreStatus) { state.withLock { $0.status = status } }

    func report(_ finding: LocatedDiagnostic) {
        let code = finding.diagnostic.code.rawValue
        state.withLock { state in
            state.findings[code] = finding.diagnostic.message
            state.reported.append(code)
        }
    }

    func withdraw(_ rule: RuleDescription) { state.withLock { $0.findings[rule.code.rawValue] = nil } }

    /// The texts of the files that are served, by `domain/name`.
    var served: [String: String] {
        state.withLock { state in
            Dictionary(uniqueKeysWithValues: state.served.map { ($0.key.description, $0.value) })
        }
    }
    /// The files whose bytes are not those of their digest.
    var damaged: [String] { state.withLock { $0.damaged.map(\.description).sorted() } }
    var refused: Int { state.withLock { $0.refused.count } }
    var status: StoreStatus { state.withLock { $0.status } }
    var challenges: [StoredChallenge] { state.withLock { $0.challenges } }
    var ticketKeys: [[UInt8]] { state.withLock { $0.ticketKeys } }
    /// The codes of the findings that hold now, sorted.
    var findings: [String] { state.withLock { $0.findings.keys.sorted() } }
    /// The messages of the findings that hold now, by their codes.
    var messages: [String: String] { state.withLock { $0.findings } }
    /// The chains of the certificates, by name.
    var certificates: [String: String] { state.withLock { $0.certificates } }
    /// The codes of all findings that there were.
    var reported: [String] { state.withLock { $0.reported } }
    var checkedUpdates: Int { state.withLock { $0.checkedUpdates } }
    /// The bounds of what it may be given.
    var storeLimits: StoreLimits {
        get { state.withLock { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }
    /// The parts that were left out since everything was read.
    var omitted: StoreOmission? { state.withLock { $0.omitted } }
    /// The most files, and bytes of files, that one update had, older versions included.
    var most: (files: Int, bytes: Int) { state.withLock { ($0.mostFiles, $0.mostBytes) } }
    var updates: Int { state.withLock { $0.updates } }
}

/// A node with its host and its cache, which ends with the test.
final class RunningNode {
    let host: FakeStoreHost
    let node: StoreNode
    private let lines = RecordedLines()
    private let cache: String
    private var hasEnded = false

    /// Starts it, and waits until it has something to serve.
    ///
    /// - Parameters:
    ///   - url: the address of the store.
    ///   - cache: the folder of the cache.
    ///   - poll: in seconds.
    ///   - limits: of what is read; nil for more than most tests have.
    init(
        _ url: String, cache: String, keyFile: String? = nil, name: String? = nil, poll: Double = 30,
        limits: StoreLimits? = nil
    ) throws {
        let lines = lines
        self.cache = cache
        host = FakeStoreHost()
        if let limits { host.storeLimits = limits }
        var settings = StoreNode.Settings(
            address: try StoreAddress(url, applicationName: "node"), cache: cache, programVersion: "1")
        settings.keyFile = keyFile
        settings.node = name
        settings.poll = poll
        node = try StoreNode(settings, logger: Logger(label: "node") { _ in RecordingLogHandler(lines: lines) })
        try node.start(host)
    }

    deinit { end() }

    /// Returns when it has ended, and another one can have its cache.
    func end() {
        node.stop()
        guard !hasEnded else { return }
        hasEnded = true
        // It is waited for only a moment, and on a busy machine the last it says to the store may take longer.
        _ = Waiting.until {
            do {
                guard let lock = try FolderLock.take("\(cache)/lock", mode: 0o600) else { return false }
                lock.release()
            } catch {
                return true
            }
            return true
        }
    }

    /// Waits until it serves exactly these files.
    func serves(_ files: [String: String]) -> Bool { Waiting.until { host.served == files } }

    func logs(_ text: String) -> Bool {
        Waiting.until { lines.all.contains { $0.contains(text) } }
    }
}

/// The lines of a log.
private final class RecordedLines: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Keeps what is logged.
private struct RecordingLogHandler: LogHandler {
    let lines: RecordedLines
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(lines: RecordedLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.append("\(event.level): \(event.message)") }
}
