import Android
import AppProjects
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import DomainDoctor
import DomainNames
import HTTPClient

/// The options that name what has to be associated with the domains.
struct DoctorAppOptions: ParsableArguments {
    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            """
            Compare with the app's side: entitlements, a provisioning profile, an .app or .ipa, an Xcode project, app.json \
            or an Android manifest (repeatable).
            """, valueName: "path"), completion: .file())
    var paths: [String] = []

    @Option(
        name: .customLong("app-id"),
        help: ArgumentHelp(
            "Require the app PREFIX.BUNDLE; replaces the IDs in the --app files (repeatable).", valueName: "id"))
    var appIDs: [String] = []

    @Option(
        name: .customLong("service"),
        help: ArgumentHelp(
            "Without --app: require --app-id in this service (repeatable; default: applinks).", valueName: "service"))
    var services: [Service] = []

    @Option(
        name: .customLong("android-package"),
        help: ArgumentHelp("Require the package in assetlinks.json (repeatable).", valueName: "name"))
    var androidPackages: [String] = []

    @Option(
        name: .customLong("android-fingerprint"),
        help: ArgumentHelp(
            "Require the certificate in assetlinks.json: SHA-256, 32 hexadecimal pairs (repeatable).",
            valueName: "sha256"))
    var androidFingerprints: [String] = []

    @Flag(
        name: .customLong("no-android"),
        help: "Do not check Android: request neither assetlinks.json nor Google's view of it.")
    var leavesOutAndroid = false

    /// A service in which an app can be.
    enum Service: String, ExpressibleByArgument, CaseIterable {
        case applinks, webcredentials, appclips, activitycontinuation
    }

    func validate() throws {
        for path in paths where FileArgument(path).isURL {
            throw ValidationError("--app takes a file or folder, and \(quoted(path)) is a URL")
        }
        for id in appIDs {
            if let problem = Linter.problem(ofAppID: id) {
                throw ValidationError([problem.message, problem.help].compactMap { $0 }.joined(separator: "; "))
            }
            guard ApplicationIdentifier(id) == nil else { continue }
            throw ValidationError(
                "--app-id: \(quoted(id)) is not an app ID; write PREFIX.BUNDLE, e.g. '7K3QWZ9PLM.com.shop.app'")
        }
        if !services.isEmpty, appIDs.isEmpty, paths.isEmpty {
            throw ValidationError("--service needs --app-id, which names the app")
        }
        for package in androidPackages where !AndroidPackageName.isValid(package) {
            throw ValidationError(
                "--android-package: \(quoted(package)) is not a package name; expected one like com.example.app")
        }
        _ = try fingerprints
        if leavesOutAndroid, !androidPackages.isEmpty || !androidFingerprints.isEmpty {
            throw ValidationError("--no-android contradicts --android-package and --android-fingerprint; leave one out")
        }
    }

    /// In the form that assetlinks.json has.
    var fingerprints: [String] {
        get throws {
            try androidFingerprints.map { text in
                let fingerprint = CertificateFingerprint(text)
                guard let written = fingerprint.written else {
                    throw ValidationError("--android-fingerprint: \(quoted(text)) \(fingerprint.problem ?? "")")
                }
                return written
            }
        }
    }
}

/// Whom to ask, and how.
struct DoctorNetworkOptions: ParsableArguments {
    @Option(
        name: .customLong("resolve"),
        help: ArgumentHelp(
            "Use this address, or several separated by commas, instead of DNS, as curl does; IPv6 in brackets (repeatable).",
            valueName: "host:port:address"))
    var resolutions: [String] = []

    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp("Trust the roots in a PEM file in addition to the system's.", valueName: "file"),
        completion: .file())
    var roots: String?

    @Flag(name: .customLong("allow-private"), help: "Contact private addresses, and accept IP addresses as targets.")
    var allowsPrivate = false

    @Option(
        help: ArgumentHelp(
            "Request Apple's copies at this URL prefix, with the host appended (default: Apple's CDN).",
            valueName: "url"))
    var cdn: String?

    @Flag(name: .customLong("no-cdn"), help: "Do not contact Apple's servers.")
    var hasNoCDN = false

    @Option(
        help: ArgumentHelp(
            "Request Google's view of assetlinks.json at this URL prefix (default: Google's service).",
            valueName: "url"))
    var google: String?

    @Flag(name: .customLong("no-google"), help: "Do not contact Google's servers.")
    var hasNoGoogle = false

    func validate() throws { _ = try settings }

    /// The settings with which domains are examined.
    var settings: ExaminationSettings {
        get throws {
            var settings = ExaminationSettings(version: Product.version)
            settings.allowsPrivateAddresses = allowsPrivate
            for text in resolutions { try add(text, to: &settings.overrides) }
            let appleCopies = try prefix(cdn ?? ExaminationSettings.appleCopiesURL, "--cdn")
            let googleViews = try prefix(google ?? ExaminationSettings.googleViewsURL, "--google")
            settings.appleCopies = hasNoCDN ? nil : appleCopies
            settings.googleViews = hasNoGoogle ? nil : googleViews
            return settings
        }
    }

    private func add(_ text: String, to overrides: inout ResolveOverrides) throws {
        do throws(ResolveOverrides.Problem) {
            try overrides.add(text) { host in
                guard !host.isEmpty, !host.hasPrefix("*.") else { return nil }
                return (try? Target(host, allowsAddresses: false))?.host
            }
        } catch {
            throw ValidationError("--resolve: \(quoted(text, limit: 100)): \(error)")
        }
    }

    /// A URL that something is appended to; it ends in a slash.
    private func prefix(_ text: String, _ option: String) throws -> RequestURL {
        func problem(_ clause: String) -> ValidationError {
            ValidationError("\(option): \(quoted(text, limit: 100)): \(clause)")
        }
        let url: RequestURL
        do throws(RequestURL.Problem) {
            url = try RequestURL(text)
        } catch {
            throw problem("\(error)")
        }
        guard !url.target.contains("?") else { throw problem("it has a query, to which nothing can be appended") }
        if url.scheme == .http {
            guard url.address?.isLoopback == true else {
                throw problem("http is for loopback addresses only; write 'https://'")
            }
            guard allowsPrivate else { throw problem("http needs --allow-private") }
        }
        guard !url.target.hasSuffix("/") else { return url }
        do throws(RequestURL.Problem) {
            return try RequestURL(scheme: url.scheme, host: url.host, port: url.port, target: url.target + "/")
        } catch {
            throw problem("\(error)")
        }
    }
}

/// The number of questions at a time, and the time that an answer may take.
struct DoctorPaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Limit the time for one request to SECONDS, from 0.5 to 60.", valueName: "seconds"))
    var timeout = "10"

    @Option(help: ArgumentHelp("Check this many domains at a time, from 1 to 64.", valueName: "number"))
    var parallel = 8

    func validate() throws {
        guard 1...64 ~= parallel else { throw ValidationError("--parallel is \(parallel); expected 1 to 64") }
        _ = try timeLimit
    }

    var timeLimit: Duration {
        get throws {
            let isDecimal = timeout.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
            guard isDecimal, timeout.utf8.count < 16, let seconds = Double(timeout), 0.5...60 ~= seconds else {
                throw ValidationError("--timeout is \(quoted(timeout)); expected seconds from 0.5 to 60")
            }
            return .milliseconds(Int((seconds * 1_000).rounded()))
        }
    }
}

/// The options that choose the findings and their severity.
struct DoctorFindingOptions: ParsableArguments {
    @Option(
        name: .customLong("certificate-days"),
        help: ArgumentHelp(
            "Warn when a certificate expires in fewer than DAYS days (default: 30, or a quarter of a shorter lifetime).",
            valueName: "days"))
    var certificateDays: Int?

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    func validate() throws {
        guard let certificateDays else { return }
        guard 0...10_000 ~= certificateDays else {
            throw ValidationError("--certificate-days is \(certificateDays); expected 0 to 10000")
        }
    }
}

/// The options that say how results are written.
struct DoctorOutputOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, jsonl, sarif, github, nagios, prometheus
    }

    @Option(
        help: """
            Set the output format; jsonl writes one object as each domain finishes, github writes annotations for \
            GitHub Actions.
            """)
    var format = Format.text
}
