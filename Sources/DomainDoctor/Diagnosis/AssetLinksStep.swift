internal import AppProjects
internal import AssociationLint
internal import Diagnostics
internal import HTTPClient
internal import JSONSyntax

// The assetlinks.json of the host.
extension DomainDiagnoser {
    static let assetLinksPath = "/.well-known/assetlinks.json"
    private static let noFile = "no assetlinks.json"

    private var assetLinksURL: String { seen.target.url(Self.assetLinksPath) }

    /// Whether Android was asked about.
    private var isAndroidAskedFor: Bool {
        !options.androidPackages.isEmpty || !options.androidFingerprints.isEmpty
            || options.projects.contains(where: \.isForAndroid)
    }

    /// The packages that the file has to name.
    private var androidPackages: [String] {
        var known = Set<String>()
        return (options.androidPackages + options.projects.filter(\.isForAndroid).flatMap(\.packages))
            .filter { known.insert($0).inserted }
    }

    mutating func examineAssetLinks() {
        guard unreachable == nil, let exchange = seen.assetLinks else {
            let reason = unreachable ?? (isUnfinished(.assetlinks) ? Self.timeIsOver : "not asked for")
            steps.append(Step(.assetlinks, skipped: reason))
            return examineGoogle(nil, otherwise: reason)
        }
        let evidence = evidence(exchange, url: assetLinksURL)
        if !isAndroidAskedFor, let reason = reasonForNoFile(exchange) {
            steps.append(Step(.assetlinks, skipped: reason, evidence: evidence))
            return steps.append(Step(.google, skipped: Self.noFile))
        }
        guard let response = fetchedAssetLinks(exchange, evidence) else {
            return examineGoogle(nil, otherwise: Self.noFile)
        }
        let result = options.linter.checkAssetLinks(response.body, path: assetLinksURL)
        for diagnostic in result.diagnostics {
            findings.append(StepFinding(.assetlinks, diagnostic, in: result.source))
        }
        guard let statements = AssetLinkStatements(response.body) else {
            steps.append(Step(.assetlinks, summary: "200, but not a list of statements", evidence: evidence))
            return examineGoogle(nil, otherwise: Self.noFile)
        }
        let packages = Set(statements.pairs.map(\.package)).count
        steps.append(
            Step(
                .assetlinks,
                summary: "200, \(counted(statements.count, "statement")), \(counted(packages, "Android app"))",
                evidence: evidence))
        if isAndroidAskedFor { judge(statements) }
        examineGoogle(statements, otherwise: "not asked for")
    }

    /// The reason for a missing file, if Android was not asked about; nil if the host answers with 200 and something
    /// that is not a page. Most hosts have no Android app, and what they answer instead is not a fault.
    private func reasonForNoFile(_ exchange: Observation.Exchange) -> String? {
        if case .success(let response) = exchange, isPage(response) { return "\(Self.noFile) (200 with an HTML page)" }
        if isMissing(exchange) { return Self.noFile }
        switch (exchange, seen.wellKnown) {
        case (.success(let response), _) where response.status == 200: return nil
        // Buckets that do not let strangers list them say so of a file that is not there.
        case (.success(let response), _) where [401, 403].contains(response.status): return Self.noFile
        // The trouble of the association file, which is reported there.
        case (.success(let response), .success(let other)) where response.status == other.status: return Self.noFile
        case (.success(let response), _):
            let location = Redirect(response, from: assetLinksURL)?.location
            return "\(Self.noFile) (\(location.map { "\(response.status) to \($0)" } ?? response.statusText))"
        case (.failure(let failure), .failure(let other)) where failure.reason == other.reason: return Self.noFile
        case (.failure(let failure), _) where failure.head?.status == 200: return nil
        case (.failure(let failure), _): return "\(Self.noFile) (\(failure))"
        }
    }

    /// 404, 410, or a page.
    private func isMissing(_ exchange: Observation.Exchange) -> Bool {
        switch exchange {
        case .failure(let failure): return [404, 410].contains(failure.head?.status)
        case .success(let response): return [404, 410].contains(response.status) || isPage(response)
        }
    }

    private func isPage(_ response: Response) -> Bool {
        guard response.status == 200 else { return false }
        return options.linter.checkAssetLinks(response.body, path: assetLinksURL).everything.contains {
            $0.is(.htmlInsteadOfJSON)
        }
    }

    /// The answer with a file; nil if there is none, which is reported then.
    private mutating func fetchedAssetLinks(
        _ exchange: Observation.Exchange, _ evidence: [String: JSONOutput]
    ) -> Response? {
        let response: Response
        switch exchange {
        case .failure(let failure):
            reject(
                failure.description, evidence, .assetlinksUnreachable, "the file could not be fetched: \(failure)",
                help: "serve a static file at this path")
            return nil
        case .success(let answer): response = answer
        }
        if isMissing(exchange) {
            let isPage = response.status == 200
            let what = isPage ? "200 with an HTML page" : "\(response.status)"
            reject(
                isPage ? what : response.statusText, evidence, .assetlinksNotFound,
                "\(what): there is no assetlinks.json", head: response.shownHead(["Content-Type"]),
                notes: isPage ? BotChallenge.notes(response) : [],
                help: "put the file there; 'aasa export' has the configuration of many hosts")
            return nil
        }
        if let redirect = Redirect(response, from: assetLinksURL) {
            reject(
                redirect.location.map { "\(response.status) to \($0)" } ?? response.statusText, evidence,
                .assetlinksRedirect, "\(redirect.clause(response.status)): Google does not follow redirects",
                head: response.shownHead(["Location"]), help: redirect.help(isForApple: false))
            return nil
        }
        guard response.status == 200 else {
            reject(
                response.statusText, evidence, .assetlinksUnreachable,
                "status \(response.status), where 200 is expected", head: response.shownHead([]),
                notes: BotChallenge.notes(response), help: "serve a static file at this path")
            return nil
        }
        guard !response.isTruncated else {
            reject(
                response.size, evidence, .assetlinksUnreachable, "the file has \(response.size)",
                head: response.shownHead([]), help: "make it smaller; it is not read to its end")
            return nil
        }
        if response.mediaType != "application/json" {
            report(
                .assetlinks, .assetlinksContentType, subject: assetLinksURL,
                response.mediaType.map { "the content type is \(quoted($0)), and Google takes 'application/json' only" }
                    ?? "the file has no content type, and Google takes 'application/json' only",
                evidence: response.shownHead(["Content-Type"]),
                help: "set the content type 'application/json' for this path")
        }
        return response
    }

    /// Adds the step, and a finding that says why it has no file.
    private mutating func reject(
        _ summary: String, _ evidence: [String: JSONOutput], _ rule: RuleDescription, _ message: String,
        head: [String] = [], notes: [String] = [], help: String
    ) {
        steps.append(Step(.assetlinks, summary: summary, evidence: evidence))
        report(
            .assetlinks, rule, subject: assetLinksURL, message, evidence: head, notes: notes, help: help)
    }

    private mutating func judge(_ statements: AssetLinkStatements) {
        let known = Set(statements.pairs.map(\.package))
        for package in androidPackages where !known.contains(package) {
            report(
                .assetlinks, .androidAppMissing, subject: assetLinksURL,
                "no statement with 'handle_all_urls' names the app '\(package)'",
                notes: known.isEmpty ? [] : ["the file names \(Self.some(known))"],
                help: "add a statement with this package and the fingerprints of its certificates")
        }
        // Each of several apps has certificates of its own.
        let present = androidPackages.isEmpty ? known : known.intersection(androidPackages)
        for fingerprint in options.androidFingerprints where !present.isEmpty {
            guard !present.contains(where: { statements.has($0, fingerprint) }) else { continue }
            report(
                .assetlinks, .androidFingerprintMissing, subject: assetLinksURL,
                "no statement for \(Self.some(present)) has the fingerprint '\(Self.short(fingerprint))'",
                evidence: [fingerprint],
                notes: [
                    "with Play App Signing the key that counts is the one in the Play Console under App integrity, "
                        + "not the upload key"
                ],
                help: "add the fingerprint to 'sha256_cert_fingerprints' of the statement")
        }
    }

    private static func short(_ fingerprint: String) -> String { fingerprint.prefix(17) + "…" }

    private static func some(_ packages: Set<String>) -> String {
        list(packages.sorted().map { quoted($0) }, atMost: 5)
    }
}
