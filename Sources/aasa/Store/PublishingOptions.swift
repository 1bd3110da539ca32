import ArgumentParser
import AssociationFiles
import CommandLineSupport
import Diagnostics
import PostgreSQLStore
import SiteStore
import SystemSupport

/// The options that all commands have which change a file in the store.
struct PublishingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Publish only if the current file has this SHA-256, or one that begins so, or 'none' if there must be no file.",
            valueName: "sha256"), transform: PublishingOptions.readCondition)
    var ifMatch: StorePublishing.Condition?

    @OptionGroup var recording: MessageOption

    @Flag(help: "Show what would be done, and write nothing.")
    var dryRun = false

    @OptionGroup var waiting: WaitOptions

    var message: String? { recording.message }
    var nodes: Int? { waiting.nodes }

    private static func readCondition(_ text: String) throws -> StorePublishing.Condition {
        if text == "none" { return .absent }
        if let digest = ContentDigest(hex: text) { return .digest(digest) }
        if (fewestDigits..<64).contains(text.utf8.count), text.utf8.allSatisfy({ Hexadecimal.value($0) != nil }) {
            return .prefix(text.lowercased())
        }
        throw ValidationError(
            "\(quoted(text)) is not a SHA-256; expected 64 hexadecimal digits, at least the first \(fewestDigits) of them, "
                + "or 'none'")
    }

    /// As text shows 12, these are few enough to be typed.
    private static let fewestDigits = 4

    /// The content that `--if-match` names; digits must not begin several contents of the file.
    func condition(for key: StoreFileKey, over connection: StoreConnection) throws -> StorePublishing.Condition {
        guard let ifMatch else { return .any }
        if case .prefix(let digits) = ifMatch,
            try StoreVersions.contents(of: key, startingWith: digits, over: connection) > 1
        {
            throw CommandFailure(
                status: .usage, code: .usage,
                message:
                    "several versions of \(quoted(key.description, limit: 300)) have a SHA-256 that begins with '\(digits)'",
                help: "give more digits to '--if-match'; 'aasa history' shows them")
        }
        return ifMatch
    }

    /// Waits for the nodes, if that is asked for and there is something to wait for.
    ///
    /// - Parameter file: what they have to serve; nil for a removal.
    func wait(
        for result: inout PublicationResult, serving file: StoreFileKey? = nil, over connection: StoreConnection
    ) {
        guard result.isDone, result.kind != .wouldPublish, let generation = result.generation else { return }
        result.nodes = waiting.progress(to: generation, serving: [file].compactMap { $0 }, over: connection)
    }

    /// Warns of a file that clients will not be able to fetch, by what the nodes say of themselves.
    func warn(about file: StoreFileKey, over connection: StoreConnection) throws(StoreError) {
        let nodes = try StoreNodes.all(over: connection).filter { $0.state != .silent && !$0.serving.names.isEmpty }
        guard !nodes.isEmpty else { return }
        // Images are answered for links.
        let isImage = ["png", "jpg", "jpeg", "webp"].contains(file.name.split(separator: ".").last?.lowercased())
        let others = nodes.filter { node in
            ![file.name, isImage ? SiteFile.links.name : file.name].contains(where: node.serving.names.contains)
        }.map(\.name)
        if !others.isEmpty {
            StandardError.write("warning: '\(file.name)' is not served by \(others.joined(separator: ", "))")
            StandardError.write("help: add it to 'wellKnown' in server.json of each node")
        }
        if nodes.allSatisfy(\.serving.needsStoreCertificates),
            try !StoreCertificates.cover(file.domain, over: connection)
        {
            StandardError.write("warning: no node has a certificate for '\(file.domain)'")
            StandardError.write(
                "help: import one with 'aasa store import --certs', or have the nodes order it ('acme')")
        }
    }
}

/// The text that is recorded in the history with a change.
struct MessageOption: ParsableArguments {
    @Option(help: ArgumentHelp("Record TEXT, of at most 1,000 characters, in the history.", valueName: "text"))
    var message: String?

    func validate() throws {
        if let message, message.unicodeScalars.count > Self.longest {
            throw ValidationError(
                "--message has \(grouped(message.unicodeScalars.count)) characters; expected at most "
                    + grouped(Self.longest))
        }
        if let message, message.unicodeScalars.contains("\0") {
            throw ValidationError("--message has a zero byte, which a store cannot hold")
        }
    }

    /// In characters.
    private static let longest = 1_000
}

/// Whether a command waits until the nodes have what it has changed.
struct WaitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Wait up to SECONDS until all nodes serve it; fail if one refuses it or is silent.",
            valueName: "seconds"))
    var wait: Int?

    @Option(help: ArgumentHelp("With --wait, wait for at least N nodes.", valueName: "n"))
    var nodes: Int?

    @Flag(help: "With --wait, do not fail because of nodes that have been silent for 30 seconds.")
    var ignoreSilent = false

    func validate() throws {
        if ignoreSilent, wait == nil { throw ValidationError("'--ignore-silent' needs '--wait'") }
        if let wait, !(0...86_400).contains(wait) {
            throw ValidationError("'--wait \(wait)' is out of range; expected 0 to 86400")
        }
        if let nodes {
            if wait == nil { throw ValidationError("'--nodes' needs '--wait'") }
            if !(0...10_000).contains(nodes) {
                throw ValidationError("'--nodes \(nodes)' is out of range; expected 0 to 10000")
            }
        }
    }

    /// Waits for a generation, if that is asked for, and until these files of it are served.
    func progress(
        to generation: Int64, serving files: [StoreFileKey] = [], over connection: StoreConnection
    ) -> NodeProgress? {
        wait.map {
            var progress = NodeProgress.wait(
                for: generation, serving: files, least: nodes ?? 0, seconds: $0, over: connection)
            if ignoreSilent { progress.silent = [] }
            return progress
        }
    }
}
