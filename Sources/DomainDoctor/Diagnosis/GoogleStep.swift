internal import AssociationLint
internal import Diagnostics
internal import HTTPClient
internal import JSONSyntax

// Google's view of assetlinks.json.
extension DomainDiagnoser {
    /// At most this many apps are listed as evidence.
    private static let maxPairs = 100

    /// - Parameters:
    ///   - statements: Those of the file; nil if there is none.
    ///   - reason: Why the step is skipped if Google was not asked.
    mutating func examineGoogle(_ statements: AssetLinkStatements?, otherwise reason: String) {
        guard let exchange = seen.googleView else { return steps.append(Step(.google, skipped: reason)) }
        var evidence: [String: JSONOutput] = ["url": .optional(seen.googleURL)]
        guard let response = answer(exchange, of: .google, evidence) else { return }
        evidence["status"] = .number(response.status)
        guard response.status == 200, let view = GoogleView(response.body) else {
            let what = response.status == 200 ? "200, but not JSON" : response.statusText
            steps.append(Step(.google, summary: what, evidence: evidence))
            return reportUnreachable(
                .google,
                response.status == 200
                    ? "Google's service answers with something other than JSON"
                    : "Google's service answers with status \(response.status)",
                response.shownHead(["Content-Type"]))
        }
        evidence["errorCodes"] = .array(view.errorCodes.map(JSONOutput.string))
        evidence["debugString"] = .optional(view.debugString)
        guard view.errorCodes.isEmpty else {
            steps.append(Step(.google, summary: view.errorCodes.joined(separator: ", "), evidence: evidence))
            return report(view)
        }
        // Included files are not fetched, so it is not known what Google should know.
        guard let statements, !statements.hasInclude else {
            let apps = counted(Set(view.pairs.map(\.package)).count, "Android app")
            let reason = statements == nil ? "no file to compare with" : "not compared, the file includes others"
            return steps.append(Step(.google, summary: "\(apps); \(reason)", evidence: evidence))
        }
        let (ours, theirs) = (Set(statements.pairs), Set(view.pairs))
        let missing = ours.subtracting(theirs).map(\.text).sorted()
        let extra = theirs.subtracting(ours).map(\.text).sorted()
        evidence["missing"] = .array(missing.prefix(Self.maxPairs).map(JSONOutput.string))
        evidence["extra"] = .array(extra.prefix(Self.maxPairs).map(JSONOutput.string))
        guard !missing.isEmpty || !extra.isEmpty else {
            return steps.append(Step(.google, summary: "the same apps as the file", evidence: evidence))
        }
        steps.append(Step(.google, summary: "other apps than the file", evidence: evidence))
        report(
            .google, .googleStale, "Google's copy does not name the same apps and certificates as assetlinks.json",
            notes: Self.some(missing, "not in Google's copy") + Self.some(extra, "in Google's copy only"),
            help: "wait: Google asks again \(view.maxAge.map { "within \(Age.text($0))" } ?? "when its copy expires")")
    }

    private static func some(_ pairs: [String], _ location: String) -> [String] {
        let most = 3
        return pairs.prefix(most).map { "\(location): \(quoted($0, limit: 300))" }
            + (pairs.count > most ? ["\(location): \(grouped(pairs.count - most)) more"] : [])
    }

    private mutating func report(_ view: GoogleView) {
        for code in view.errorCodes {
            let meaning = GoogleView.meaning(of: code)
            report(
                .google, .googleError,
                "Google cannot use assetlinks.json: \(meaning == nil ? quoted(code) : code)",
                evidence: view.debugString.map { $0.cut(to: 300).split(whereSeparator: \.isNewline).map(String.init) }
                    ?? [],
                notes: [meaning?.cause ?? "the meaning of this code is not known"],
                help: (meaning?.remedy ?? "look at what the host answers at this path")
                    + "; Google asks again \(view.maxAge.map { "within \(Age.text($0))" } ?? "after a while")")
        }
    }
}

/// The answer of Google's service for digital asset links.
struct GoogleView {
    let pairs: [AssetLinkStatements.Pair]
    /// The codes of errors without the prefix `ERROR_CODE_`, each once; ten at most.
    let errorCodes: [String]
    /// 1,000 bytes at most.
    let debugString: String?
    /// The time for which the answer is kept, in seconds.
    let maxAge: Int?

    private static let maxCodes = 10

    /// Nil if it is not a JSON object.
    init?(_ bytes: [UInt8]) {
        let document = JSONReader.read(bytes, path: "", limits: .assetLinksFile)
        guard document.isTreeReliable, let object = document.root?.object else { return nil }
        let prefix = "ERROR_CODE_"
        let listed = ["errorCode", "errorCodes"].compactMap { object[$0] }
        let codes = listed.flatMap { node in
            node.array?.compactMap { $0.string?.text } ?? [node.string?.text].compactMap { $0 }
        }
        var known = Set<String>()
        errorCodes = Array(
            codes.map { ($0.hasPrefix(prefix) && $0 != prefix ? String($0.dropFirst(prefix.count)) : $0).cut(to: 300) }
                .filter { !$0.isEmpty && known.insert($0).inserted }.prefix(Self.maxCodes))
        debugString = object["debugString"]?.string.map { $0.text.cut(to: 997) }.flatMap { $0.isEmpty ? nil : $0 }
        maxAge = object["maxAge"]?.string.flatMap { Self.seconds($0.text) }
        pairs = (object["statements"]?.array ?? []).compactMap(\.object).compactMap { statement in
            guard statement["relation"]?.string?.text == AssetLinkStatements.relation,
                let app = statement["target"]?.object?["androidApp"]?.object,
                let package = app["packageName"]?.string?.text,
                let print = app["certificate"]?.object?["sha256Fingerprint"]?.string?.text
            else { return nil }
            return AssetLinkStatements.Pair(package: package, fingerprint: print.uppercased())
        }
    }

    /// The seconds of a span like `3599.9s`, rounded up.
    private static func seconds(_ text: String) -> Int? {
        guard text.hasSuffix("s") else { return nil }
        let parts = text.dropLast().split(separator: ".", maxSplits: 1)
        guard let first = parts.first, 1...9 ~= first.utf8.count, let seconds = Int(first), seconds >= 0 else {
            return nil
        }
        return parts.count > 1 ? seconds + 1 : seconds
    }

    /// The meaning of an error code, and the remedy; nil for one that is not known.
    ///
    /// Source: the reference of Google's Digital Asset Links API, `ErrorCode`.
    static func meaning(of code: String) -> (cause: String, remedy: String)? {
        switch code {
        case "INVALID_QUERY":
            ("Google does not accept the question: it does not ask this host or port", "use a public host, at port 443")
        case "FETCH_ERROR":
            (
                "Google could not fetch the file",
                "let every address of the host answer, from every country, and let robots.txt allow "
                    + "'\(DomainDiagnoser.assetLinksPath)'"
            )
        case "FAILED_SSL_VALIDATION":
            ("Google does not accept the certificate of the host", "fix the certificate or its chain")
        case "REDIRECT":
            ("the host answered with a redirect, which Google does not follow", "answer this path without one")
        case "TOO_LARGE": ("the file is too large for Google", "remove statements that nobody needs")
        case "MALFORMED_HTTP_RESPONSE":
            ("the answer was not HTTP", "look at proxies and firewalls in front of the web server")
        case "WRONG_CONTENT_TYPE":
            ("the content type was not 'application/json'", "set this content type for the path")
        case "MALFORMED_CONTENT":
            ("the content was not a list of statements", "check the file with 'aasa validate'")
        case "SECURE_ASSET_INCLUDES_INSECURE":
            ("the file includes one over http", "include over https only")
        case "FETCH_BUDGET_EXHAUSTED":
            ("the file includes more files than Google fetches", "put the statements into one file")
        default: nil
        }
    }
}
