internal import AppProjects
internal import AssociationLint
internal import Diagnostics
internal import HTTPClient
internal import JSONSyntax

// assetlinks.json, and what Google knows of it.
extension Examiner {
    static let assetLinksPath = "/.well-known/assetlinks.json"

    private var assetLinksURL: String { seen.target.url(Self.assetLinksPath) }

    /// Whether somebody wants to know about Android.
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
            let reason = unreachable ?? "not asked for"
            steps += [Step(.assetlinks, skipped: reason), Step(.google, skipped: reason)]
            return
        }
        let evidence = evidence(exchange, url: assetLinksURL)
        guard let response = judgeAssetLinks(exchange, evidence) else {
            if !steps.contains(where: { $0.id == .google }) { examineGoogle(nil) }
            return
        }
        let result = options.linter.checkAssetLinks(response.body, path: assetLinksURL)
        for diagnostic in result.diagnostics { findings.append(Finding(.assetlinks, diagnostic, in: result.source)) }
        let statements = AssetLinkStatements(response.body)
        let packages = Set(statements.pairs.map(\.package)).count
        steps.append(
            Step(
                .assetlinks,
                summary: "200, \(counted(statements.count, "statement")), \(counted(packages, "Android app"))",
                evidence: evidence))
        judgeStatements(statements, in: result)
        examineGoogle(statements)
    }

    /// - Returns: The answer with a file; nil if there is none, which is said then.
    private mutating func judgeAssetLinks(
        _ exchange: Observation.Exchange, _ evidence: [String: JSONOutput]
    ) -> Response? {
        guard case .success(let response) = exchange else {
            if case .failure(let failure) = exchange {
                // A host that answers nothing at this path is of interest to those who want to know about Android.
                guard isAndroidAskedFor else {
                    steps.append(Step(.assetlinks, skipped: "no assetlinks.json", evidence: evidence))
                    steps.append(Step(.google, skipped: "no assetlinks.json"))
                    return nil
                }
                steps.append(Step(.assetlinks, summary: failure.description, evidence: evidence))
                report(.assetlinks, "assetlinks-unreachable", subject: assetLinksURL, "\(failure)")
            }
            return nil
        }
        let isPage =
            response.status == 200
            && options.linter.checkAssetLinks(response.body, path: assetLinksURL).everything.contains {
                $0.code.rawValue == "html-instead-of-json"
            }
        if [404, 410].contains(response.status) || isPage {
            guard isAndroidAskedFor else {
                steps.append(Step(.assetlinks, skipped: "no assetlinks.json", evidence: evidence))
                steps.append(Step(.google, skipped: "no assetlinks.json"))
                return nil
            }
            steps.append(
                Step(.assetlinks, summary: isPage ? "200 with an HTML page" : response.statusText, evidence: evidence))
            report(
                .assetlinks, "assetlinks-not-found", subject: assetLinksURL,
                isPage
                    ? "200 with an HTML page, where assetlinks.json is expected"
                    : "\(response.status): there is no assetlinks.json",
                help: "put the file there; 'aasa export' has the configuration of many hosts")
            return nil
        }
        if let redirect = Redirect(response, from: assetLinksURL) {
            steps.append(
                Step(.assetlinks, summary: "\(response.status) to \(redirect.location ?? "")", evidence: evidence))
            report(
                .assetlinks, "assetlinks-redirect", subject: assetLinksURL,
                "\(response.status) to \(quoted(redirect.location ?? "", limit: 300)): Google does not follow redirects",
                evidence: response.shownHead(["Location"]), help: redirect.help(host: seen.target.host))
            return nil
        }
        guard response.status == 200 else {
            steps.append(Step(.assetlinks, summary: response.statusText, evidence: evidence))
            report(
                .assetlinks, "assetlinks-unreachable", subject: assetLinksURL,
                "\(response.status) where 200 is expected",
                evidence: response.shownHead([]))
            return nil
        }
        guard !response.isTruncated else {
            steps.append(
                Step(.assetlinks, summary: "more than \(counted(response.body.count, "byte"))", evidence: evidence))
            report(
                .assetlinks, "assetlinks-unreachable", subject: assetLinksURL,
                "the file has more than \(response.body.count) bytes")
            return nil
        }
        if response.mediaType != "application/json" {
            report(
                .assetlinks, "assetlinks-content-type", subject: assetLinksURL,
                "the content type is \(quoted(response.mediaType ?? "")); Google requires 'application/json'",
                help: "set the type 'application/json' for this path")
        }
        return response
    }

    private mutating func judgeStatements(_ statements: AssetLinkStatements, in result: LintResult) {
        guard isAndroidAskedFor else { return }
        let known = Set(statements.pairs.map(\.package))
        for package in androidPackages where !known.contains(package) {
            report(
                .assetlinks, "android-app-missing", subject: assetLinksURL,
                "no statement with 'handle_all_urls' names the package '\(package)'",
                notes: known.isEmpty
                    ? [] : ["it names \(known.sorted().prefix(5).map { quoted($0) }.joined(separator: ", "))"],
                help: "add a statement with the package and the fingerprints of its certificates")
        }
        let wanted = androidPackages.isEmpty ? known.sorted() : androidPackages.filter(known.contains)
        for fingerprint in options.androidFingerprints {
            for package in wanted where !statements.has(package, fingerprint) {
                report(
                    .assetlinks, "android-fingerprint-missing", subject: assetLinksURL,
                    "the fingerprint '\(fingerprint.prefix(17))…' is not among those of '\(package)'",
                    notes: [
                        "with Play App Signing, the key in the Play Console under App integrity signs, not the upload key"
                    ], help: "add the fingerprint to the statement")
            }
        }
    }

    private mutating func examineGoogle(_ statements: AssetLinkStatements?) {
        guard let exchange = seen.googleView else { return steps.append(Step(.google, skipped: "not asked for")) }
        var evidence: [String: JSONOutput] = [
            "url": .string(seen.googleURL ?? ""), "status": .null, "errorCodes": .array([]), "debugString": .null,
            "missing": .array([]), "extra": .array([]),
        ]
        guard case .success(let response) = exchange else {
            if case .failure(let failure) = exchange {
                steps.append(Step(.google, summary: failure.description, evidence: evidence))
                report(.google, "google-unreachable", "Google's service does not answer: \(failure)")
            }
            return
        }
        evidence["status"] = .number(response.status)
        guard response.status == 200, let view = GoogleView(response.body) else {
            let what = response.status == 200 ? "200, and not JSON" : response.statusText
            steps.append(Step(.google, summary: what, evidence: evidence))
            return report(.google, "google-unreachable", "Google's service answers \(what)")
        }
        evidence["errorCodes"] = .array(view.errorCodes.map(JSONOutput.string))
        evidence["debugString"] = .optional(view.debugString.map { String($0.prefix(1_000)) })
        guard view.errorCodes.isEmpty else {
            steps.append(Step(.google, summary: view.errorCodes.joined(separator: ", "), evidence: evidence))
            for code in view.errorCodes {
                report(
                    .google, "google-error", "Google cannot use assetlinks.json: \(code)",
                    evidence: view.debugString.map { [String($0.prefix(300))] } ?? [],
                    notes: [GoogleView.meaning(of: code) ?? "the meaning of this code is not known"])
            }
            return
        }
        // What a file includes is not fetched, so nobody knows what Google has to know.
        guard let statements, !statements.hasInclude else {
            return steps.append(Step(.google, summary: "no error", evidence: evidence))
        }
        let (ours, theirs) = (Set(statements.pairs), Set(view.pairs))
        let missing = ours.subtracting(theirs).map(\.text).sorted()
        let extra = theirs.subtracting(ours).map(\.text).sorted()
        evidence["missing"] = .array(missing.map(JSONOutput.string))
        evidence["extra"] = .array(extra.map(JSONOutput.string))
        guard missing.isEmpty, extra.isEmpty else {
            steps.append(Step(.google, summary: "other apps than the file", evidence: evidence))
            return report(
                .google, "google-stale", "Google's copy differs from assetlinks.json",
                notes: missing.prefix(3).map { "not in Google's copy: \($0)" }
                    + extra.prefix(3).map { "in Google's copy only: \($0)" },
                help: "wait: Google asks again after \(view.maxAge.map { "\($0)" } ?? "its copy has expired")")
        }
        steps.append(Step(.google, summary: "the same apps", evidence: evidence))
    }
}

/// The statements of an `assetlinks.json` that let apps open the links of a site.
struct AssetLinkStatements {
    /// An app with one of its certificates.
    struct Pair: Hashable {
        let package: String
        /// In upper case.
        let fingerprint: String

        var text: String { "\(package) \(fingerprint)" }
    }

    private(set) var pairs: [Pair] = []
    private(set) var count = 0
    /// Whether a statement includes another list, which is not fetched.
    private(set) var hasInclude = false

    static let relation = "delegate_permission/common.handle_all_urls"

    init(_ bytes: [UInt8]) {
        let document = JSONReader.read(bytes, path: "", limits: .assetLinksFile)
        guard document.isTreeReliable, let statements = document.root?.array else { return }
        for statement in statements.compactMap(\.object) {
            count += 1
            if statement["include"] != nil { hasInclude = true }
            let relations = statement["relation"]?.array?.compactMap { $0.string?.text } ?? []
            guard relations.contains(Self.relation), let target = statement["target"]?.object,
                target["namespace"]?.string?.text == "android_app", let package = target["package_name"]?.string?.text
            else { continue }
            let prints = target["sha256_cert_fingerprints"]?.array?.compactMap { $0.string?.text } ?? []
            pairs += prints.map { Pair(package: package, fingerprint: $0.uppercased()) }
        }
    }

    func has(_ package: String, _ fingerprint: String) -> Bool {
        pairs.contains(Pair(package: package, fingerprint: fingerprint.uppercased()))
    }
}

/// What Google's service for digital asset links answers.
struct GoogleView {
    let pairs: [AssetLinkStatements.Pair]
    /// Without the prefix `ERROR_CODE_`.
    let errorCodes: [String]
    let debugString: String?
    /// Like `3599.9s`.
    let maxAge: String?

    /// Nil if it is not a JSON object.
    init?(_ bytes: [UInt8]) {
        let document = JSONReader.read(bytes, path: "", limits: .assetLinksFile)
        guard document.isTreeReliable, let object = document.root?.object else { return nil }
        let prefix = "ERROR_CODE_"
        errorCodes = (object["errorCode"]?.array ?? object["errorCodes"]?.array ?? []).compactMap { $0.string?.text }
            .map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
        debugString = object["debugString"]?.string?.text
        maxAge = object["maxAge"]?.string?.text
        pairs = (object["statements"]?.array ?? []).compactMap(\.object).compactMap { statement in
            guard statement["relation"]?.string?.text == AssetLinkStatements.relation,
                let app = statement["target"]?.object?["androidApp"]?.object,
                let package = app["packageName"]?.string?.text,
                let print = app["certificate"]?.object?["sha256Fingerprint"]?.string?.text
            else { return nil }
            return AssetLinkStatements.Pair(package: package, fingerprint: print.uppercased())
        }
    }

    /// Source: the documentation of Google's Digital Asset Links API.
    static func meaning(of code: String) -> String? {
        switch code {
        case "INVALID_QUERY": "Google does not accept the question: the host or the port is not one that it asks"
        case "FETCH_ERROR": "Google could not fetch the file"
        case "FAILED_SSL_VALIDATION": "Google does not accept the certificate of the host"
        case "REDIRECT": "the host answered with a redirect, which Google does not follow"
        case "TOO_LARGE": "the file is too large for Google"
        case "MALFORMED_HTTP_RESPONSE": "the answer was not one of HTTP"
        case "WRONG_CONTENT_TYPE": "the content type is not 'application/json'"
        case "MALFORMED_CONTENT": "the content is not a list of statements"
        case "SECURE_ASSET_INCLUDES_INSECURE": "a file served over https includes one over http"
        case "FETCH_BUDGET_EXHAUSTED": "the file includes more files than Google fetches"
        default: nil
        }
    }
}
