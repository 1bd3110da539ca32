import ArgumentParser
import AssociationConsole
import AssociationServer
import CommandLineSupport
import PostgreSQLStore
import SiteStore

// What the console of aasa serve shows besides the server.
extension Serve {
    /// - Parameter store: that sites come from; nil without one.
    static func consoleFeatures(_ store: StoreAddress?) -> ConsoleFeatures {
        var features = ConsoleFeatures()
        features.doctor = { doctor($0, $1) }
        guard let store else { return features }
        features.versions = { domain in
            do throws(StoreError) {
                let connection = try StoreConnection(store, deadline: secondsForStore)
                let key = StoreFileKey(domain: domain, name: FileNameOption.standard)
                let versions = try StoreVersions.versions(of: key, limit: maxVersions, over: connection)
                return .list(
                    versions.map { version in
                        .init(
                            number: version.version, publishedAt: version.publishedAt / 1_000_000,
                            publishedBy: version.publishedBy, message: version.message,
                            errors: version.findings?.errors, warnings: version.findings?.warnings)
                    })
            } catch {
                return .unavailable
            }
        }
        features.storedFile = { domain, name, version in
            do throws(StoreError) {
                let connection = try StoreConnection(store, deadline: secondsForStore)
                let key = StoreFileKey(domain: domain, name: name)
                return try StoreVersions.file(key, version: version, over: connection)?.contents?.bytes
            } catch {
                return nil
            }
        }
        return features
    }

    private static let secondsForStore = 3.0
    private static let maxVersions = 20

    /// Checks a domain as `aasa doctor --format json` does.
    private static func doctor(_ domain: String, _ settings: DoctorConfiguration) -> String {
        var arguments = ["--format", "json"]
        if let path = settings.rootsFile { arguments += ["--ca-file", path] }
        for resolution in settings.resolutions { arguments += ["--resolve", resolution] }
        for (copies, option) in [(settings.cdn, "cdn"), (settings.google, "google")] {
            guard let copies else { continue }
            arguments += copies == DoctorConfiguration.none ? ["--no-\(option)"] : ["--\(option)", copies]
        }
        if settings.allowsPrivate { arguments.append("--allow-private") }
        do {
            let run = try DoctorRun(Doctor.parse(arguments + ["--", domain]))
            return BlockingTask.run { await run.document() }
        } catch let failure as DoctorFailure {
            return failure.json
        } catch {
            return DoctorFailure(.usage, Doctor.message(for: error)).json
        }
    }
}
