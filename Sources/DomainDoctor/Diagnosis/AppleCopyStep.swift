internal import AppSiteAssociation
internal import AssociationLint
internal import Diagnostics
internal import HTTP1
internal import HTTPClient
internal import SystemSupport

// The copy that devices get.
extension Examiner {
    /// So many URLs show how the copy differs.
    private static let mostWitnesses = 3

    mutating func examineAppleCopy() {
        guard let exchange = seen.appleCopy else { return steps.append(Step(.cdn, skipped: "not asked for")) }
        var evidence: [String: JSONOutput] = [
            "url": .string(seen.appleCopyURL ?? ""), "status": .null, "age": .null, "maxAge": .null, "expiresAt": .null,
            "sameMeaning": .null, "changes": .array([]), "failure": .null,
        ]
        guard case .success(let response) = exchange else {
            if case .failure(let failure) = exchange {
                steps.append(Step(.cdn, summary: failure.description, evidence: evidence))
                report(.cdn, "cdn-unreachable", "Apple's CDN does not answer: \(failure)")
            }
            return
        }
        let times = CopyTimes(response.head, now: seen.checkedAt)
        evidence["status"] = .number(response.status)
        evidence["age"] = times.age.map { .number($0) } ?? .null
        evidence["maxAge"] = times.maxAge.map { .number($0) } ?? .null
        evidence["expiresAt"] = times.expiresAt.map { .string(InternetDate.string($0)) } ?? .null
        if let failure = AppleFailure(response.head) {
            evidence["failure"] = failure.json
            steps.append(
                Step(.cdn, summary: "\(response.status), \(failure.code) \(failure.reason)", evidence: evidence))
            return reportFailure(failure, times, response)
        }
        guard response.status == 200 else {
            steps.append(Step(.cdn, summary: response.statusText, evidence: evidence))
            if response.status == 404 || response.status == 405 {
                return report(
                    .cdn, "cdn-no-copy", "Apple has no copy: \(response.statusText)",
                    help: "a device with the app that is installed anew makes Apple ask")
            }
            return report(.cdn, "cdn-unreachable", "Apple's CDN answers \(response.statusText)")
        }
        let copy = LiveFile(response, options.linter, url: seen.appleCopyURL ?? "")
        guard copy.isJSON, copy.document != nil else {
            steps.append(Step(.cdn, summary: "not JSON", evidence: evidence))
            return report(.cdn, "cdn-unreadable", "Apple's copy is not JSON")
        }
        compare(copy, times, evidence)
    }

    private mutating func compare(_ copy: LiveFile, _ times: CopyTimes, _ evidence: [String: JSONOutput]) {
        var evidence = evidence
        let renewal = times.expiresAt.map { "renewed after \(moment($0)) at the earliest" }
        let age = times.age.map { "\(Age.text($0)) old" }
        let ages = [age, renewal].compactMap { $0 }.joined(separator: ", ")
        guard let live, !findings.contains(where: { $0.step < .cdn && $0.diagnostic.severity >= .error }) else {
            steps.append(
                Step(
                    .cdn, summary: ["a usable copy", ages].filter { !$0.isEmpty }.joined(separator: "; "),
                    evidence: evidence))
            return report(
                .cdn, "cdn-still-serves", "Apple still has a usable copy: installed apps keep working for now",
                notes: renewal.map { ["the copy is \($0)"] } ?? [])
        }
        let isSame = copy.means(sameAs: live, host: seen.target.host)
        evidence["sameMeaning"] = .boolean(isSame)
        let shown = [isSame ? "same rules" : "other rules than the file", ages].filter { !$0.isEmpty }.joined(
            separator: "; ")
        guard !isSame else { return steps.append(Step(.cdn, summary: shown, evidence: evidence)) }
        let comparison = live.difference(from: copy, host: seen.target.host)
        let changes = comparison?.changes ?? []
        evidence["changes"] = .array(changes.prefix(10).map(\.members).map(JSONOutput.object))
        steps.append(Step(.cdn, summary: shown, evidence: evidence))
        var notes = changes.prefix(Self.mostWitnesses).map { change in "\(change.witness): \(Self.difference(change))" }
        if changes.count > Self.mostWitnesses {
            notes.append("and \(counted(changes.count - Self.mostWitnesses, "more change"))")
        }
        if changes.isEmpty, let services = comparison?.services, !services.isEmpty {
            notes.append("the apps of \(services.map(\.service).joined(separator: ", ")) differ")
        }
        report(
            .cdn, "cdn-stale", "Apple's copy means something else than the file", notes: notes,
            help: "wait: the copy is \(renewal ?? "renewed within 24 hours"), and installed apps take about a week; "
                + "'?mode=developer' in the entitlement asks the host directly")
    }

    /// A time of today without its date.
    func moment(_ time: Int64) -> String {
        let isToday = InternetDate.day(time) == InternetDate.day(seen.checkedAt)
        return "\(isToday ? "" : InternetDate.day(time) + " ")\(InternetDate.minute(time)) UTC"
    }

    /// What a change means, seen from the copy.
    private static func difference(_ change: LinkChange) -> String {
        switch change.kind {
        case .opens: "opens the app at the origin, not in Apple's copy"
        case .noLongerOpens: "opens the app in Apple's copy, not at the origin"
        case .nowExcluded where change.old.outcome == .open: "opens the app in Apple's copy, not at the origin"
        case .otherApps: "opens other apps in Apple's copy"
        default: "is decided by another rule in Apple's copy"
        }
    }

    private mutating func reportFailure(_ failure: AppleFailure, _ times: CopyTimes, _ response: Response) {
        let known = AppleFailure.Meaning(failure)
        var help = known?.remedy
        let isOriginFine = live != nil && !findings.contains { $0.step < .cdn && $0.diagnostic.severity >= .error }
        if isOriginFine {
            let time = times.maxAge.map { " (\(Age.text($0)))" } ?? ""
            help =
                "the host is fine now: Apple keeps a failure for a while\(time) and asks again after that"
                + (times.expiresAt.map { ", after \(moment($0)) at the earliest" } ?? "")
        }
        var notes = [known?.cause ?? "the meaning of this code is not known"]
        if failure.tryDirect == true { notes.append("devices ask the host themselves (Apple-Try-Direct)") }
        report(
            .cdn, "cdn-failure", "Apple could not fetch the file: \(failure.code) \(failure.reason)",
            evidence: response.shownHead([
                "Apple-Failure-Reason", "Apple-Failure-Details", "Apple-From", "Apple-Try-Direct",
            ]), notes: notes, help: help)
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

/// How old a copy is, and when there can be a new one (RFC 9111, sections 4.2.3 and 5.2.2.1).
struct CopyTimes {
    /// In seconds.
    let age: Int?
    let maxAge: Int?
    /// Seconds since 1970.
    let expiresAt: Int64?

    /// - Parameter now: Seconds since 1970.
    init(_ head: ResponseHead, now: Int64) {
        age = Self.number(head.text("Age"))
        let directives = (head.text("Cache-Control") ?? "").split(separator: ",")
        maxAge =
            directives.compactMap { directive in
                let parts = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
                return parts.count == 2 && parts[0].lowercased() == "max-age" ? Self.number(parts[1]) : nil
            }.first
        let date = head["Date"].flatMap { HTTPDate.parse($0.span, in: 0..<$0.count, now: now) }
        if let date, let maxAge {
            expiresAt = date + Int64(maxAge - (age ?? 0))
        } else {
            expiresAt = nil
        }
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
        guard let text = head.text("Apple-Failure-Reason") else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        code = parts.first.map(String.init) ?? ""
        reason = parts.count > 1 ? String(parts[1]) : ""
        details = head.text("Apple-Failure-Details")
        from = (head.text("Apple-From") ?? "").split(separator: ",").map { $0.filter { $0 != " " } }.filter {
            !$0.isEmpty
        }
        tryDirect = head.text("Apple-Try-Direct").map { $0.lowercased() == "true" }
    }

    var json: JSONOutput {
        .object([
            "code": .string(code), "reason": .string(reason), "details": .optional(details),
            "from": .array(from.map(JSONOutput.string)), "tryDirect": tryDirect.map { .boolean($0) } ?? .null,
        ])
    }
}
