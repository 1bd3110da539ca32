internal import AppSiteAssociation
internal import AssociationLint
internal import BoundedText
internal import Diagnostics
internal import HTTP1
internal import HTTPClient
internal import PatternAnalysis
internal import SystemSupport

// The copy that devices get.
extension DomainDiagnoser {
    /// At most this many URLs show how the copy differs.
    private static let maxWitnesses = 3
    /// At most this many changes are listed as evidence.
    private static let maxChanges = 10

    mutating func examineAppleCopy() {
        guard let exchange = seen.appleCopy else { return steps.append(Step(.cdn, skipped: "not asked for")) }
        var evidence: [String: JSONOutput] = ["url": .optional(seen.appleCopyURL)]
        guard let response = answer(exchange, of: .cdn, evidence) else { return }
        let times = CopyTimes(response.head, now: seen.checkedAt)
        evidence["status"] = .number(response.status)
        evidence["age"] = times.age.map { .number($0) } ?? .null
        evidence["maxAge"] = times.maxAge.map { .number($0) } ?? .null
        evidence["expiresAt"] = times.expiresAt.map { .string(InternetDate.string($0)) } ?? .null
        if let failure = AppleFailure(response.head) {
            evidence["failure"] = failure.json
            steps.append(Step(.cdn, summary: "\(response.status), \(failure.text)", evidence: evidence))
            return reportFailure(failure, times, response)
        }
        guard response.status == 200 else {
            steps.append(Step(.cdn, summary: response.statusText, evidence: evidence))
            guard response.status == 404 || response.status == 405 else {
                return reportUnreachable(
                    .cdn, "Apple's CDN answers with status \(response.status)", response.shownHead([]))
            }
            return report(
                .cdn, .cdnNoCopy, "Apple has no copy of the file (\(response.status))",
                evidence: response.shownHead([]),
                notes: response.status == 405
                    ? ["it gives this answer for names that it does not know or cannot resolve"] : [],
                help: hasHostError
                    ? "fix the host first; Apple asks again when a device installs the app"
                    : "install the app on a device, which makes Apple ask for the file, and check again")
        }
        let copy = reader.file(response)
        guard copy.content.document != nil else {
            steps.append(Step(.cdn, summary: "200, but not JSON", evidence: evidence))
            return report(
                .cdn, .cdnUnreadable, "Apple's copy is not JSON", evidence: response.shownHead(["Content-Type"]),
                help: "find out what the host sent to 'AASA-Bot': the copy is that answer")
        }
        compare(copy, times, evidence)
    }

    /// The answer of a service that has copies; nil if there is none, which is reported then.
    mutating func answer(
        _ exchange: Result<Response, Observation.CopyFailure>, of step: Step.ID, _ evidence: [String: JSONOutput]
    ) -> Response? {
        switch exchange {
        case .success(let response): return response
        case .failure(let failure):
            steps.append(Step(step, summary: "not reached: \(failure)", evidence: evidence))
            reportUnreachable(
                step, "\(step == .cdn ? "Apple's CDN" : "Google's service") could not be queried: \(failure)")
            return nil
        }
    }

    mutating func reportUnreachable(_ step: Step.ID, _ message: String, _ evidence: [String] = []) {
        report(
            step, step == .cdn ? .cdnUnreachable : .googleUnreachable, message, evidence: evidence,
            notes: ["this says nothing about the host"],
            help: "try again, and from another network; "
                + (step == .cdn ? "--no-cdn leaves Apple's copy out" : "--no-google leaves Google's view out"))
    }

    /// Whether something in the steps before is an error that keeps Apple from the file.
    private var hasHostError: Bool { findings.contains(where: \.isHostError) || live?.content.hasErrors == true }

    private mutating func compare(_ copy: LiveFile, _ times: CopyTimes, _ evidence: [String: JSONOutput]) {
        var evidence = evidence
        let renewal = times.expiresAt.map { "renewed after \(moment($0)) at the earliest" }
        let ages = [times.age.map { "\(Age.text($0)) old" }, renewal].compactMap { $0 }.joined(separator: ", ")
        var comparison: LinkComparison?
        var shown = "a usable copy"
        var isStale = false
        if let live {
            switch reader.difference(from: copy, to: live) {
            case .none:
                shown = "same rules"
                evidence["sameMeaning"] = .boolean(true)
                evidence["changes"] = .array([])
            case .undecided: shown = "another file, with too many rules to compare"
            case .different(let found):
                shown = "other rules than the file"
                comparison = found
                isStale = true
                evidence["sameMeaning"] = .boolean(false)
                evidence["changes"] = .array(
                    (found?.changes ?? []).prefix(Self.maxChanges).map { .object($0.members) })
            }
        }
        steps.append(
            Step(.cdn, summary: [shown, ages].filter { !$0.isEmpty }.joined(separator: "; "), evidence: evidence))
        if hasHostError {
            // A copy of a faulty file is of no use either.
            guard !copy.content.hasErrors else { return }
            report(
                .cdn, .cdnStillServes, "Apple's copy is a usable file: installed apps keep working for now",
                notes: renewal.map { ["the copy is \($0)"] } ?? [],
                help: "fix the host before Apple asks again")
        } else if isStale {
            reportStale(comparison, renewal)
        }
    }

    private mutating func reportStale(_ comparison: LinkComparison?, _ renewal: String?) {
        let changes = comparison?.changes ?? []
        var notes = changes.prefix(Self.maxWitnesses).map(Self.note)
        if changes.count > Self.maxWitnesses {
            notes.append("\(counted(changes.count - Self.maxWitnesses, "more difference")) of this kind")
        }
        notes += (comparison?.services ?? []).map { change in
            let parts = [
                change.added.isEmpty ? nil : "\(Self.apps(change.added)) at the origin only",
                change.removed.isEmpty ? nil : "\(Self.apps(change.removed)) in Apple's copy only",
            ]
            return "\(change.service): \(parts.compactMap { $0 }.joined(separator: ", "))"
        }
        notes.append("Apple documents up to 24 hours for its copy, and about a week for apps that are installed")
        report(
            .cdn, .cdnStale, "Apple's copy has other rules than the file, and devices use the copy",
            notes: notes,
            help: (renewal.map { "wait: the copy is \($0)" } ?? "wait until Apple renews its copy")
                + "; to test at once, use '?mode=developer' in the entitlement")
    }

    private static func apps(_ ids: [String]) -> String {
        let most = 3
        let shown = ids.prefix(most).map { quoted($0) }.joined(separator: ", ")
        return ids.count > most ? "\(shown) and \(grouped(ids.count - most)) more" : shown
    }

    /// The meaning of a change for users; the copy is the old file.
    private static func note(_ change: LinkChange) -> String {
        let url = quoted(change.witness, limit: 300)
        return switch (change.old.outcome, change.new.outcome) {
        case (.open, .open):
            "\(url) opens \(apps(change.new.appIDs)) at the origin, \(apps(change.old.appIDs)) in Apple's copy"
        case (_, .open): "\(url) opens \(apps(change.new.appIDs)) at the origin, not in Apple's copy"
        case (.open, _): "\(url) opens \(apps(change.old.appIDs)) in Apple's copy, not at the origin"
        case (_, .excluded): "\(url) is excluded at the origin, and matches no rule in Apple's copy"
        default: "\(url) is excluded in Apple's copy, and matches no rule at the origin"
        }
    }

    /// A time of today without its date.
    func moment(_ time: Int64) -> String {
        let isToday = InternetDate.day(time) == InternetDate.day(seen.checkedAt)
        return "\(isToday ? "" : InternetDate.day(time) + " ")\(InternetDate.minute(time)) UTC"
    }
}

// Why Apple has no copy.
extension DomainDiagnoser {
    /// The time for which Apple keeps a failure in practice, in seconds.
    private static let usualFailureAge = 3_600

    private mutating func reportFailure(_ failure: AppleFailure, _ times: CopyTimes, _ response: Response) {
        let known = failure.meaning
        var notes = [known?.cause ?? "the meaning of this code is not known"]
        if failure.tryDirect == true { notes.append("devices ask the host itself for now (Apple-Try-Direct)") }
        report(
            .cdn, .cdnFailure, "Apple could not fetch the file: \(quoted(failure.text, limit: 300))",
            evidence: response.shownHead([
                "Apple-Failure-Reason", "Apple-Failure-Details", "Apple-From", "Apple-Try-Direct",
            ]), notes: notes, help: help(known?.remedy ?? "look for 'AASA-Bot' in the log of the web server", times))
    }

    /// The remedy, and where the host is fine now, how long Apple takes to notice.
    private func help(_ remedy: String, _ times: CopyTimes) -> String {
        guard let live, !hasHostError else { return remedy }
        let maxAge = Age.text(times.maxAge ?? Self.usualFailureAge)
        let again = times.expiresAt.map { ", here after \(moment($0)) at the earliest" } ?? ""
        let waiting = "Apple keeps a failure for \(maxAge) and asks again after that\(again)"
        let changed = CopyTimes.date(live.response.head, "Last-Modified", now: seen.checkedAt)
        if let changed, let failed = times.made, failed < changed {
            return "wait: the file has changed after that (\(moment(changed))); \(waiting)"
        }
        return "the host is fine from here; if it was fixed just now, wait: \(waiting); if not, \(remedy)"
    }
}

/// A time span in one unit, for people.
enum Age {
    /// Like `40 s`, `12 min`, `3 h` or `2 days`.
    static func text(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

/// The age of a copy, and the time when there can be a new one (RFC 9111, sections 4.2.3 and 5.2.2.1).
struct CopyTimes {
    /// The age of the copy in seconds.
    let age: Int?
    let maxAge: Int?
    /// Seconds since 1970: when the copy, or the failure, was made.
    let made: Int64?
    let expiresAt: Int64?

    /// - Parameter now: Seconds since 1970.
    init(_ head: ResponseHead, now: Int64) {
        age = Self.number(head.text("Age"))
        let directives = head.values("Cache-Control").flatMap { value in
            String(text: value).split(separator: ",")
        }
        maxAge =
            directives.compactMap { directive in
                let parts = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
                return parts.count == 2 && parts[0].lowercased() == "max-age" ? Self.number(parts[1]) : nil
            }.first
        made = Self.date(head, "Date", now: now).map { [age] in $0 - Int64(age ?? 0) }
        expiresAt = made.flatMap { [maxAge] made in maxAge.map { made + Int64($0) } }
    }

    /// The time in a field, in seconds since 1970.
    static func date(_ head: ResponseHead, _ name: String, now: Int64) -> Int64? {
        head[name].flatMap { HTTPDate.parse($0.span, in: 0..<$0.count, now: now) }
    }

    private static func number(_ text: String?) -> Int? {
        guard let text, 1...9 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }
}

/// Why Apple has no copy, in Apple's words.
struct AppleFailure {
    let code: String
    let reason: String
    let details: String?
    let from: [String]
    let tryDirect: Bool?

    /// Nil if the answer speaks of no failure.
    init?(_ head: ResponseHead) {
        guard let text = head.shown("Apple-Failure-Reason") else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        code = parts.first.map(String.init) ?? ""
        reason = parts.count > 1 ? String(parts[1]) : ""
        details = head.shown("Apple-Failure-Details")
        from = (head.shown("Apple-From") ?? "").split(separator: ",").map { $0.filter { $0 != " " } }.filter {
            !$0.isEmpty
        }
        tryDirect = head.text("Apple-Try-Direct").map { $0.lowercased() == "true" }
    }

    /// Code and reason.
    var text: String { reason.isEmpty ? code : "\(code) \(reason)" }

    var json: JSONOutput {
        .object([
            "code": .string(code), "reason": .string(reason), "details": .optional(details),
            "from": .array(from.map(JSONOutput.string)), "tryDirect": tryDirect.map { .boolean($0) } ?? .null,
        ])
    }
}

extension StepFinding {
    /// Whether it is an error of the host that keeps others from the file.
    var isHostError: Bool {
        // A certificate that is about to expire is accepted until then.
        step < .cdn && diagnostic.severity >= .error && !diagnostic.is(.tlsExpiresSoon)
    }
}
