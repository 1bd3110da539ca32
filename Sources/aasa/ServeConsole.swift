import ArgumentParser
import AssociationConsole
import AssociationServer
import CommandLineSupport
import Dispatch
import JSONSyntax
import PostgreSQLStore
import SiteStore
import SystemSupport

// What the console of aasa serve shows besides the server.
extension Serve {
    /// - Parameter store: that sites come from; nil without one.
    static func consoleFeatures(_ store: StoreAddress?) -> ConsoleFeatures {
        var features = ConsoleFeatures()
        features.doctor = { doctor($0, $1) }
        features.manifest = { ConsoleManifest.reading($0, name: $1) }
        guard let store else { return features }
        features.versions = { domain in
            let key = StoreFileKey(domain: domain, name: FileNameOption.standard)
            let versions = asking(store) { connection throws(StoreError) in
                try StoreVersions.versions(of: key, limit: maxVersions, over: connection)
            }
            guard let versions else { return .unavailable }
            return .list(
                versions.map { version in
                    .init(
                        number: version.version, publishedAt: version.publishedAt / 1_000_000,
                        publishedBy: version.publishedBy, message: version.message,
                        errors: version.findings?.errors, warnings: version.findings?.warnings)
                })
        }
        features.storedFile = { domain, name, version in
            let key = StoreFileKey(domain: domain, name: name)
            return asking(store) { connection throws(StoreError) in
                try StoreVersions.file(key, version: version, over: connection)?.contents?.bytes
            } ?? nil
        }
        features.changes = { generation, limit in
            asking(store) { connection throws(StoreError) in
                try StoreAudit.list(before: generation, limit: limit, over: connection)
            }
        }
        features.change = { generation in
            let found = asking(store) { connection throws(StoreError) in
                try StoreAudit.change(
                    generation, files: maxFiles, ofAtMost: FileSizes.association, over: connection)
            }
            guard let found else { return .unavailable }
            return found.map { .change($0.change, ChangeFiles.compared($0.files)) } ?? .unknown
        }
        return features
    }

    /// Asks the store, and waits for three seconds at most; what is still under way then ends by itself.
    ///
    /// - Returns: nil if it does not answer.
    private static func asking<Answer: Sendable>(
        _ store: StoreAddress, _ ask: @escaping @Sendable (StoreConnection) throws(StoreError) -> Answer
    ) -> Answer? {
        let answer = Locked<Answer?>(nil)
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            if let found = try? ask(StoreConnection(store, deadline: secondsForStore)) {
                answer.withLock { $0 = found }
            }
            ended.signal()
        }
        guard ended.wait(timeout: .now() + secondsForStore) == .success else { return nil }
        return answer.withLock { $0 }
    }

    private static let maxFiles = 10
    private static let secondsForStore = 3.0
    private static let maxVersions = 20

    /// Checks a domain as `aasa doctor --format json` does.
    private static func doctor(_ domain: String, _ settings: DoctorConfiguration) -> String {
        var options: [String] = []
        if let path = settings.rootsFile { options += ["--ca-file", path] }
        for resolution in settings.resolutions { options += ["--resolve", resolution] }
        for (copies, option) in [(settings.cdn, "cdn"), (settings.google, "google")] {
            guard let copies else { continue }
            options += copies == DoctorConfiguration.none ? ["--no-\(option)"] : ["--\(option)", copies]
        }
        if settings.allowsPrivate { options.append("--allow-private") }
        return DoctorRun.document(of: domain, options).text
    }
}
