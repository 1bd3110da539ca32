import AssociationFiles
import CommandLineSupport
import Diagnostics
import EventLoops
import Glibc
import PostgreSQLStore
import SiteStore

/// The change that is wanted of a file in the store.
struct PublicationRequest {
    /// The file, or its removal.
    let publication: StorePublication
    /// A host of the site, for URLs that show what changes.
    let host: String
    /// The findings in the new file.
    var report = Report([], fileCount: 0)
    /// The name of the new file in messages.
    let path: String
    let condition: StorePublishing.Condition
    let isDryRun: Bool
}

extension StorePublication {
    /// A file that was judged.
    init(_ key: StoreFileKey, _ bytes: [UInt8], _ report: Report, message: String?, lint: String?) {
        self.init(
            key, bytes: bytes, message: message, lint: lint,
            findings: StoreFindings(errors: report.errorCount, warnings: report.warningCount))
    }
}

/// The result, as commands show it.
struct PublicationResult {
    enum Kind: String {
        case published, unchanged, refused, conflict, removed
        case wouldPublish = "would-publish"
    }

    var kind: Kind
    let domain: String
    /// Nil if it is about all files of the domain.
    let name: String?
    var digest: ContentDigest?
    var previous: StoredVersion?
    var version: Int64?
    var generation: Int64?
    /// The sizes of the new and the old file.
    var size: Int?
    var diff: PublicationDiff?
    /// The findings in the new file.
    var report = Report([], fileCount: 0)
    /// The files that were removed, if it is about all of them.
    var removed: [StoreFileKey] = []
    var nodes: NodeProgress?
    /// Whether the findings and the changes were printed before anything was written.
    var isShown = false

    /// The result for a file that has errors, which the store does not get to see.
    static func refused(_ publication: StorePublication, _ report: Report) -> PublicationResult {
        var result = PublicationResult(kind: .refused, domain: publication.key.domain, name: publication.key.name)
        result.digest = publication.digest
        result.report = report
        return result
    }

    /// Whether the command has done what it was asked for, but for the nodes.
    var isDone: Bool { kind != .refused && kind != .conflict }
}

/// The progress of the nodes.
struct NodeProgress {
    /// The number of those that serve it.
    var current = 0
    /// Those that are not silent.
    var total = 0
    var behind: [String] = []
    /// Those that have it and do not serve it, and why.
    var unserved: [(node: String, reason: String)] = []
    /// Those that have not reported themselves for 30 seconds.
    var silent: [String] = []
    /// Why no more is known; nil if it is.
    var failure: String?

    /// Whether all nodes that report themselves serve it, and at least so many.
    func isDone(_ least: Int) -> Bool {
        failure == nil && behind.isEmpty && unserved.isEmpty && current >= least
    }
}

extension PublicationRequest {
    /// Publishes, or finds out what publishing would do.
    ///
    /// - Parameter show: is called with the changes before they are made.
    func run(
        over connection: StoreConnection, show: (PublicationResult) -> Void
    ) throws(StoreError) -> PublicationResult {
        let current = try StoreVersions.versions(of: publication.key, limit: 1, over: connection).first
        var result = self.result(.unchanged, current)
        if current?.digest == publication.digest, current != nil || publication.digest != nil {
            result.version = current?.version
            result.generation = current?.generation
            return result
        }
        result = self.result(.wouldPublish, current)
        result.diff = try diff(from: current, over: connection)
        guard condition.isMet(by: current) else {
            result.kind = .conflict
            return result
        }
        guard !isDryRun else { return result }
        show(result)
        switch try StorePublishing.publish(publication, ifMatch: condition, over: connection) {
        case .published(let version, let generation, let previous):
            let shown = result
            result = self.result(publication.digest == nil ? .removed : .published, previous)
            result.version = version
            result.generation = generation
            // Somebody else may have published in between.
            result.isShown = previous?.version == current?.version
            result.diff = result.isShown ? shown.diff : try diff(from: previous, over: connection)
        case .unchanged(let version):
            result = self.result(.unchanged, version)
            result.version = version.version
            result.generation = version.generation
        case .conflict(let version): result = self.result(.conflict, version)
        case .missing: break
        }
        return result
    }

    private func result(_ kind: PublicationResult.Kind, _ previous: StoredVersion?) -> PublicationResult {
        var result = PublicationResult(kind: kind, domain: publication.key.domain, name: publication.key.name)
        result.digest = publication.digest
        result.previous = previous
        result.size = publication.bytes?.count
        result.report = report
        return result
    }

    /// The changes for links, or of links; nil where they are not known.
    private func diff(
        from previous: StoredVersion?, over connection: StoreConnection
    ) throws(StoreError) -> PublicationDiff? {
        let key = publication.key
        guard [FileNameOption.standard, SiteFile.links.name].contains(key.name), let bytes = publication.bytes,
            let previous, previous.digest != nil,
            let old = try StoreVersions.file(key, version: previous.version, over: connection),
            let contents = old.contents
        else { return nil }
        return PublicationDiff(
            of: key.name, old: contents.bytes, oldPath: old.path, new: bytes, newPath: path, host: host)
    }
}

extension NodeProgress {
    /// Waits until all nodes that are not silent have a generation and serve these files of it, and at least so many.
    static func wait(
        for generation: Int64, serving files: [StoreFileKey], least: Int, seconds: Int,
        over connection: StoreConnection
    ) -> NodeProgress {
        let end = Clock.monotonicMilliseconds() + Int64(seconds) * 1_000
        var pause: Int64 = 20
        var last = NodeProgress()
        while true {
            do throws(StoreError) {
                last = NodeProgress(try StoreNodes.all(at: generation, over: connection), files)
            } catch {
                last.failure = error.message
                if error.isConnectionLost { return last }
            }
            let rest = end - Clock.monotonicMilliseconds()
            if last.isDone(least) || rest <= 0 { return last }
            usleep(UInt32(max(1, min(pause, rest))) * 1_000)
            pause = min(pause * 2, 250)
        }
    }

    private init(_ nodes: [StoredNode], _ files: [StoreFileKey]) {
        for node in nodes {
            if node.state != .silent { total += 1 }
            switch node.state {
            case .silent: silent.append(node.name)
            case .behind: behind.append(node.name)
            case .current:
                if let problem = node.serving.problem(of: files) {
                    unserved.append((node.name, problem))
                } else {
                    current += 1
                }
            }
        }
    }
}
