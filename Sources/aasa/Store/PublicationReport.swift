import AppSiteAssociation
import AssociationLint
import CommandLineSupport
import Diagnostics
import PatternAnalysis
import PostgreSQLStore
import SiteStore
import SystemSupport

/// The output of `publish`, `rollback` and `unpublish`.
struct PublicationReport {
    let result: PublicationResult
    let output: OutputOptions

    /// The changes for links; nil where they are not known.
    var diff: JSONOutput? {
        result.diff.map { $0.comparison.json(fileErrors: (FileErrors($0.old).count, FileErrors($0.new).count)) }
    }

    /// One object, on one line (store.md, section 5).
    var json: String {
        JSONOutput.object([
            "version": .number(1), "domain": .string(result.domain), "name": .optional(result.name),
            "result": .string(result.kind.rawValue), "sha256": .optional(result.digest?.hex),
            "previousSha256": .optional(result.previous?.digest?.hex),
            "fileVersion": result.version.map { .number(Int($0)) } ?? .null,
            "generation": result.generation.map { .number(Int($0)) } ?? .null,
            "diff": diff ?? .null,
            "diagnostics": .array(
                result.report.files.flatMap { file in
                    file.diagnostics.map { .object($0.members(in: file.source)) }
                }),
            "nodes": result.nodes?.json ?? .null,
        ]).text
    }

    /// The findings, what changes, and the result.
    ///
    /// - Parameter path: what the new file is called.
    func lines(path: String) -> [String] {
        (result.isShown ? [] : changes(path: path)) + wrapped(summary)
    }

    /// The findings, and what changes.
    func changes(path: String) -> [String] {
        var lines: [String] = []
        if result.report.files.contains(where: { !$0.diagnostics.isEmpty }) {
            let text = ReportFormat.text.text(
                result.report, style: output.style, width: output.width, showsFixed: false, isQuiet: result.isDone)
            if !text.isEmpty { lines.append(text) }
        }
        if let diff = result.diff {
            let report = DiffReport(diff.comparison, old: diff.old.source.path, new: path)
            lines += report.lines(output.style, width: output.width)
        } else if result.name != nil, [.published, .removed, .wouldPublish].contains(result.kind) {
            lines += [("old", result.previous?.digest, result.previous?.size), ("new", result.digest, result.size)]
                .compactMap { name, digest, size in
                    digest.map { "\(name): \($0.hex), \(counted(size ?? 0, "byte"))" }
                }
        }
        return lines
    }

    /// The message for standard error; nil if all is well.
    var failure: String? {
        switch result.kind {
        case .conflict: return "conflict: \(VisibleText.escaped(subject)) \(currentState)"
        case .refused: return "\(VisibleText.escaped(subject)) is not published because of its errors"
        case .published, .unchanged, .removed, .wouldPublish: return nil
        }
    }

    /// The message about nodes that have not come as far in time; nil if all have.
    func nodesFailure(least: Int) -> String? {
        result.nodes?.failure(generation: result.generation ?? 0, least: least)
    }

    private var subject: String { result.name.map { "\(result.domain)/\($0)" } ?? result.domain }

    private var currentState: String {
        guard let current = result.previous else { return "is not in the store" }
        let author = "by \(current.publishedBy) at \(InternetDate.string(current.publishedAt / 1_000_000))"
        guard let digest = current.digest else { return "was removed \(author)" }
        return "has SHA-256 \(digest.hex), version \(current.version), published \(author)"
    }

    private var summary: String {
        let version = result.version.map { " version \($0)" } ?? ""
        let generation = result.generation.map { ", generation \($0)" } ?? ""
        var text: String
        switch result.kind {
        case .published: text = "published\(version) of \(subject)\(generation)"
        case .unchanged: text = "unchanged: \(subject)\(version.isEmpty ? "" : " stays at\(version)")"
        case .wouldPublish:
            // Of files to publish there is a new one.
            let change = result.digest == nil ? "the removal of \(subject)" : subject
            text = "would-publish: \(change); nothing is written"
        case .removed:
            let files = result.removed.isEmpty ? "" : " (\(counted(result.removed.count, "file")))"
            text = "removed \(subject)\(files)\(generation)"
        case .conflict: text = "conflict: nothing is published"
        case .refused: text = "refused: nothing is published"
        }
        if let nodes = result.nodes { text += "; \(nodes.text)" }
        return VisibleText.escaped(text)
    }

    private func wrapped(_ line: String) -> [String] {
        guard let width = output.width, width > 20 else { return [line] }
        return WrappedText.lines(line, columns: width, indent: 2)
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
            guard format == .text else { return }
            StandardOutput.print(PublicationReport(result: result, output: output).changes(path: path))
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
        let report = PublicationReport(result: self, output: options.output)
        var results = StandardOutput()
        switch options.format {
        case .json: results.write(report.json)
        case .text: for line in report.lines(path: path) { results.write(line) }
        }
        results.flush()
        let failures = [report.failure, report.nodesFailure(least: least)].compactMap { $0 }
        for failure in failures { StandardError.write("error: \(failure)") }
        if !failures.isEmpty { throw ExitStatus.failed.code }
    }
}
