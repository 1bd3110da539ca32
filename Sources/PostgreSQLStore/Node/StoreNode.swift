internal import BoundedText
internal import Diagnostics
internal import Glibc
package import Logging
package import SiteStore
internal import SystemSupport

/// A node: follows a store on a thread of its own, and hands what changes to a server (store.md, section 7).
package final class StoreNode: Sendable {
    /// The settings of a node.
    package struct Settings: Sendable {
        package var address: StoreAddress
        /// The folder of the cache.
        package var cache: String
        /// The path of the key file; nil without one.
        package var keyFile: String?
        /// The time between two comparisons of the generation, in seconds.
        package var poll = 30.0
        /// The name in the store; nil for one that is made of the machine's.
        package var node: String?
        package var programVersion: String

        package init(address: StoreAddress, cache: String, programVersion: String) {
            self.address = address
            self.cache = cache
            self.programVersion = programVersion
        }
    }

    /// Why a node cannot start.
    package enum StartError: Error, Sendable {
        /// The folder of the cache cannot be made or locked, or its library is not on this machine.
        case cache(DatabaseError)
        case keyFile(StoreKeyFileError)
        /// There is no cache, and the store cannot be used.
        case nothingToServe(StoreError)
        /// The system gives no thread.
        case thread(String)
    }

    let settings: Settings
    /// The store that is followed.
    package var address: StoreAddress { settings.address }
    /// As the store shows it.
    package let name: String
    let inbox: NodeInbox
    let logger: Logger
    private let cache: Locked<StoreCache?>
    private let keys: Locked<StoreKeyRing?>

    /// Locks the cache, and reads the key file.
    package init(_ settings: Settings, logger: Logger) throws(StartError) {
        self.logger = logger
        let cache: StoreCache
        do throws(DatabaseError) {
            cache = try StoreCache(settings.cache, program: settings.programVersion)
            if cache.hasReplacedOldFormat {
                logger.info("the cache in '\(settings.cache)' was of an earlier version, and was removed")
            }
            if let node = settings.node {
                name = node
            } else {
                name = StoreNames.nodeName(host: Self.hostName, id: try cache.nodeID())
            }
        } catch {
            throw .cache(error)
        }
        var settings = settings
        settings.address = settings.address.forNode(name)
        self.settings = settings
        keys = Locked(try Self.readKeys(settings.keyFile, logger))
        self.cache = Locked(cache)
        do throws(SystemError) { inbox = try NodeInbox() } catch { throw .thread(error.reason) }
    }

    private static func readKeys(_ path: String?, _ logger: Logger) throws(StartError) -> StoreKeyRing? {
        guard let path else { return nil }
        do throws(StoreKeyFileError) {
            let file = try StoreKeyFile(path)
            for warning in file.warnings { logger.warning("\(warning.logLine)") }
            return file.keys
        } catch {
            throw .keyFile(error)
        }
    }

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "node" }
        return String(text: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }

    /// Starts to follow, and waits until there is something to serve: what the store has, or, if it does not answer within
    /// 5 s, what the cache has.
    package func start(_ host: any StoreHost) throws(StartError) {
        let cache = self.cache.withLock { cache in
            defer { cache = nil }
            return cache
        }
        guard let cache else { return }
        let driver = Unstarted(cache: cache, node: self, host: host)
        do throws(SystemError) {
            try DetachedThread.start { driver.run() }
        } catch {
            throw .thread(error.reason)
        }
        if case .failed(let failure) = inbox.waitUntilStarted(milliseconds: FollowerState.startLimit) {
            throw .nothingToServe(failure)
        }
    }

    /// Reads the key file again, and then everything that the store has.
    package func reload(keyFile: String?, poll: Double) {
        do throws(StartError) {
            let ring = try Self.readKeys(keyFile, logger)
            keys.withLock { $0 = ring }
        } catch {
            if case .keyFile(let error) = error { logger.error("\(error.description); the earlier keys stay") }
        }
        inbox.requestFullRead(poll: poll)
    }

    /// Has a body called once this node serves a generation of the store; on any thread, which it must not hold up.
    package func whenServed(_ generation: Int64, _ body: @escaping @Sendable () -> Void) {
        inbox.whenServed(generation, body)
    }

    /// Ends the thread; what is served stays. Waits a moment for what is under way.
    package func stop() { inbox.stop(milliseconds: 1_000) }

    /// The keys that secrets of the store are encrypted with; nil without a key file.
    package var ring: StoreKeyRing? { keys.withLock { $0 } }

    /// The arguments of the thread. The cache belongs to it from then on.
    private struct Unstarted: @unchecked Sendable {
        let cache: StoreCache
        let node: StoreNode
        let host: any StoreHost

        func run() {
            let driver = NodeDriver(cache, node, host)
            driver.run()
            cache.close()
            node.inbox.finish()
        }
    }
}

extension StoreNode {
    /// Reads everything that a store has, once, as `aasa serve --check` needs it; neither a cache nor a heartbeat is written.
    package static func readOnce(
        _ address: StoreAddress, keys: StoreKeyRing?, into host: any StoreHost
    ) throws(StoreError) -> StoreOutcome {
        do throws(StoreError) {
            return try read(address, keys, host)
        } catch {
            throw error.ofNode
        }
    }

    private static func read(
        _ address: StoreAddress, _ keys: StoreKeyRing?, _ host: any StoreHost
    ) throws(StoreError) -> StoreOutcome {
        let connection = try StoreConnection(address, .node)
        let limits = host.storeLimits
        let reading = try StoreReader.changes(after: nil, image: nil, limits, over: connection)
        var outcome = host.apply(StoreUpdate(changes: reading.changes, keys: keys))
        let bad = Set(outcome.withoutGoodVersion)
        let files = reading.changes.files.filter { bad.contains($0.key) }
        for start in stride(from: 0, to: files.count, by: StoreReader.mostBadFiles) {
            let part = Array(files[start..<min(start + StoreReader.mostBadFiles, files.count)])
            var again = StoreUpdate(
                changes: StoreChanges(position: reading.changes.position, isComplete: false, files: part), keys: keys)
            again.olderVersions = try StoreReader.older(
                than: part, upTo: limits.fileBytes, over: connection)
            outcome = host.apply(again)
        }
        return outcome
    }
}
