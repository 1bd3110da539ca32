import AppSiteAssociation
import AssociationLint
import CommandLineSupport
import Diagnostics
import PatternAnalysis
import PostgreSQLStore
import SiteStore
import SystemSupport

// The output of `publish`, `rollback` and `unpublish`.
extension PublicationResult {
    /// The changes for links; null where they are not known.
    var diffJSON: JSONOutput {
        switch diff {
        case .association(let comparison, let old, let new):
            comparison.json(fileErrors: (FileErrors(old).count, FileErrors(new).count))
        case .links(let difference): difference.json
        case nil: .null
        }
    }

    /// The members of one object (store.md, section 5).
    private var json: [String: JSONOutput] {
        [
            "domain": .string(domain), "name": .optional(name),
            "result": .string(kind.rawValue), "sha256": .optional(digest?.hex),
            "previousSha256": .optional(previous?.digest?.hex),
            "fileVersion": version.map { .number(Int($0)) } ?? .null,
            "generation": generation.map { .number(Int($0)) } ?? .null,
            "diff": diffJSON, "diagnostics": report.files.json, "nodes": nodes?.json ?? .null,
        ]
    }

    /// The findings, and what changes.
    ///
    /// - Parameter path: what the new file is called.
    func changes(_ output: OutputOptions, path: String) -> [String] {
        let hasFindings = report.files.contains { !$0.diagnostics.isEmpty }
        var lines = hasFindings ? report.lines(output, isQuiet: isDone) : []
        if case .association(let comparison, let old, _) = diff {
            let report = DiffReport(comparison, old: old.source.path, new: path)
            lines += report.lines(output.style, width: output.width)
        } else if case .links(let difference) = diff {
            lines += difference.lines
        } else if name != nil, [.published, .removed, .wouldPublish].contains(kind) {
            lines += [("old", previous?.digest, previous?.size), ("new", digest, size)]
                .compactMap { name, digest, size in
                    digest.map { "\(name): \($0.hex), \(counted(size ?? 0, "byte"))" }
                }
        }
        return lines
    }

    /// The message for standard error; nil if all is well.
    private var failure: String? {
        switch kind {
        case .conflict: return "conflict: \(VisibleText.escaped(subject)) \(currentState)"
        case .refused: return "\(VisibleText.escaped(subject)) is not published because of its errors"
        case .published, .unchanged, .removed, .wouldPublish: return nil
        }
    }

    private var subject: String { name.map { "\(domain)/\($0)" } ?? domain }

    private var currentState: String {
        guard let current = previous else { return "is not in the store" }
        let author = "by \(current.publishedBy) at \(InternetDate.string(current.publishedAt / 1_000_000))"
        guard let digest = current.digest else { return "was removed \(author)" }
        return "has SHA-256 \(digest.hex), version \(current.version), published \(author)"
    }

    private var summary: String {
        let version = version.map { " version \($0)" } ?? ""
        let generation = generation.map { ", generation \($0)" } ?? ""
        var text: String
        switch kind {
        case .published: text = "published\(version) of \(subject)\(generation)"
        case .unchanged: text = "unchanged: \(subject)\(version.isEmpty ? "" : " stays at\(version)")"
        case .wouldPublish:
            // Of files to publish there is a new one.
            let change = digest == nil ? "the removal of \(subject)" : subject
            text = "would-publish: \(change); nothing is written"
        case .removed:
            let files = removed.isEmpty ? "" : " (\(counted(removed.count, "file")))"
            text = "removed \(subject)\(files)\(generation)"
        case .conflict: text = "conflict: nothing is published"
        case .refused: text = "refused: nothing is published"
        }
        if let nodes = nodes { text += "; \(nodes.text)" }
        return VisibleText.escaped(text)
    }
}

extension NodeProgress {
    var json: JSONOutput {
        .object([
            "current": .number(current), "total": .number(total), "behind": .array(behind.map(JSONOutput.string)),
            "silent": .array(silent.map(JSONOutput.string)),
            "unserved": .array(
                unserved.map { .object(["node": .string($0.node), "reason": .string($0.reason)]) }),
        ])
    }

    var text: String { "served by \(current) of \(counted(total, "node"))" }

    /// The message about nodes that have not come as far in time; nil if all have.
    func failure(generation: Int64, least: Int) -> String? {
        guard !isDone(least) || !silent.isEmpty else { return nil }
        let names = [("behind", behind), ("silent", silent)].filter { !$0.1.isEmpty }
            .map { "; \($0): \($1.joined(separator: ", "))" }.joined()
        let unserved = unserved.map { "; \($0.node) does not serve \($0.reason)" }.joined()
        let reason = failure.map { "; \($0)" } ?? ""
        return "generation \(generation) is in the store, but served only by \(current) of "
            + "\(counted(max(total + silent.count, least), "node"))\(names)\(VisibleText.escaped(unserved))\(reason)"
    }
}

extension StoreSelection {
    /// Prints the findings and the changes before they are made; for a program all is in one object in the end.
    ///
    /// - Parameter path: what the new file is called.
    func showing(path: String) -> (PublicationResult) -> Void {
        { result in
            if format == .text { StandardOutput.print(result.changes(output, path: path)) }
        }
    }
}

extension PublicationResult {
    /// Prints the result, and throws the exit code if something is not as it was asked for.
    ///
    /// - Parameters:
    ///   - path: what the new file is called.
    ///   - least: how many nodes have to have it, if that was waited for.
    func write(_ options: StoreSelection, path: String, least: Int) throws {
        let output = options.output
        let columns = output.width.flatMap { $0 > 20 ? $0 : nil }
        options.write(
            (isShown ? [] : changes(output, path: path))
                + (columns.map { WrappedText.lines(summary, columns: $0, indent: 2) } ?? [summary]),
            json: json)
        let failures = [failure, nodes?.failure(generation: generation ?? 0, least: least)].compactMap { $0 }
        for failure in failures { StandardError.write("error: \(failure)") }
        if !failures.isEmpty { throw ExitStatus.failed.code }
    }
}

extension Report {
    /// The findings, as `aasa validate` shows them.
    func lines(_ output: OutputOptions, isQuiet: Bool) -> [String] {
        let text = ReportFormat.text.text(
            self, style: output.style, width: output.width, showsFixed: false, isQuiet: isQuiet)
        return text.isEmpty ? [] : [text]
    }
}

extension [FileReport] {
    /// The findings of all files, as `aasa validate` has them.
    var json: JSONOutput {
        .array(flatMap { file in file.diagnostics.map { .object($0.members(in: file.source)) } })
    }
}
