import ArgumentParser
import BoundedText
import CommandLineSupport
import Diagnostics
import HostRecipes
import JSONSyntax
import SystemSupport
import UniversalLinks

struct Export: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "Write the configuration with which a web server or host serves the files, or alerts and a dashboard.",
        discussion: manual.discussion(
            """
            Checks the files as 'aasa validate' does, and shows the configuration for a host with the steps to install it. \
            With --out, the configuration and the files are written: either all of them or none. 'aasa export --list' lists \
            the hosts. 'prometheus-alerts' and 'grafana-dashboard' are for the metrics of 'aasa serve' and need no files.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa export --list", "list the hosts"),
            .init(
                "aasa export nginx --domain example.com --out deploy",
                "write the files and the configuration for nginx into a folder"),
            .init("aasa export prometheus-alerts --out /etc/prometheus/rules", "alert on what is wrong with a server"),
        ],
        exits: [
            .init(.done, "if it succeeded"), .init(.failed, "if a file has errors (with --strict: or warnings)"),
            .init(.usage, "if the host is unknown or its configuration cannot express a path"),
            .init(.missingFile, "if a file cannot be read"),
            .init(.outputFailed, "if files already exist or cannot be written"),
        ], seeAlso: ["aasa-validate(1)", "aasa-serve(1)"])

    @Argument(
        help: ArgumentHelp("The host that serves the files; --list shows all.", valueName: "host"),
        completion: .list(HostRecipe.names + MonitoringExport.allCases.map(\.rawValue)))
    var host: String?

    @Argument(
        help: ArgumentHelp(
            """
            The association file, assetlinks.json, or both, recognized by their content, or a folder that contains them; \
            - is standard input (default: the files in the working directory, or in .well-known).
            """, valueName: "file"), completion: .file())
    var files: [String] = []

    @Flag(help: "List the hosts.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "Set the domain in the steps and checks (default: example.com).", valueName: "domain"))
    var domain: String?

    @Option(
        help: ArgumentHelp("Write the configuration and the files into DIR.", valueName: "dir"),
        completion: .directory)
    var out: String?

    @Option(
        help: ArgumentHelp(
            """
            Set the absolute path of the files' folder on the server (default: the path of DIR; \
            without --out /var/www/aasa).
            """, valueName: "path"))
    var installRoot: String?

    @Flag(help: "Replace existing files with other content.")
    var force = false

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @Option(help: "Set the output format.")
    var format = ResultFormat.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if list {
            guard host == nil else { throw ValidationError("--list shows all hosts; remove '\(host ?? "")'") }
            return
        }
        guard let host else { throw ValidationError("missing host; 'aasa export --list' lists the hosts") }
        if out == "" { throw ValidationError("--out: the name of a folder is missing") }
        if force, out == nil { throw ValidationError("--force needs --out") }
        if let monitoring = MonitoringExport(rawValue: host) {
            guard files.isEmpty, domain == nil, installRoot == nil, !strict else {
                throw ValidationError(
                    "\(monitoring.rawValue) needs no files, and neither --domain, --install-root nor --strict")
            }
            return
        }
        guard HostRecipe.named(host) != nil else { throw ValidationError(Self.unknown(host)) }
        if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
        if let installRoot {
            guard installRoot.hasPrefix("/") else {
                throw ValidationError("--install-root: \(quoted(installRoot)) is not an absolute path")
            }
        }
        _ = try checkedDomain()
    }

    /// Names of what has no configuration of its own to export, and what to do there.
    private static let elsewhere: [(names: Set<String>, hint: String)] = [
        (
            ["k8s", "kubernetes", "ingress", "helm", "cloud-run", "cloudrun", "alb", "elb"],
            "behind an Ingress or a load balancer, 'aasa serve' serves the files: see 'Load balancers and clouds' in "
                + "docs/behind-a-proxy.md"
        ),
        (
            ["docker", "podman", "container"],
            "in a container, 'aasa serve' serves the files: see 'Image' in docs/packages.md"
        ),
    ]

    private static func unknown(_ host: String) -> String {
        let word = host.prefix(64).lowercased()
        if let hint = elsewhere.first(where: { $0.names.contains(word) })?.hint {
            return "unknown host \(quoted(host)); \(hint)"
        }
        let names = HostRecipe.namesAndAliases + MonitoringExport.allCases.map(\.rawValue)
        let similar = names.filter { word.utf8.count > 2 && $0.hasPrefix(word) }
        let near = similar.isEmpty ? [Spelling.closest(to: word, among: names)].compactMap { $0 } : similar
        let start = "unknown host \(quoted(host))"
        guard near.isEmpty else {
            return "\(start); did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
        }
        let isFile = Path.exists(host) || host.contains("/")
        return "\(start); \(isFile ? "the host comes before the files, and " : "")'aasa export --list' lists the hosts"
    }

    /// The domain as it is in URLs.
    private func checkedDomain() throws -> String {
        guard let domain else { return "example.com" }
        let name = try DomainOption.read(domain)
        guard !name.isWildcard else {
            throw ValidationError(
                """
                --domain: for '\(domain)' Apple asks the parent domain: write --domain \(name.ascii), and export to the \
                host that serves it
                """)
        }
        return name.ascii
    }

    func run() throws {
        if list { return ExportReport.writeList(format) }
        try CommandFailure.reporting(in: format.failures, "aasa export", output, export)
    }

    private func export() throws {
        if let monitoring = host.flatMap(MonitoringExport.init) {
            return try monitoring.run(format, into: out) { files throws(CommandFailure) in
                guard let out else { return nil }
                return try write(
                    files, to: RawPath(argument: out), help: "replace the file with --force, and load it again")
            }
        }
        guard let host, let recipe = HostRecipe.named(host) else { return }
        let sources = try ExportSources.read(files, isStrict: strict, output)
        let (root, domain) = (try root(), try checkedDomain())
        let plan: ExportPlan
        do throws(PathQuoting.Problem) {
            plan = try ExportPlan(recipe, sources, installRoot: root, domain: domain, version: AASA.version)
        } catch {
            throw CommandFailure.usage(
                "the configuration of \(recipe.title) cannot express the path \(quoted(root)): \(error.description)")
        }
        let outcomes = try out.map { try write(plan.files, to: RawPath(argument: $0), help: Self.help(recipe)) }
        let report = ExportReport(plan, folder: out, outcomes: outcomes)
        for warning in report.warnings { StandardError.write("warning: \(warning)") }
        switch format {
        case .json: StandardOutput.print([report.json.text])
        case .text: report.writeText(width: out == nil ? output.errorWidth : output.width)
        }
    }

    /// The absolute path of the folder in which the files will be on the host.
    private func root() throws(CommandFailure) -> String {
        let root = installRoot.map(AbsolutePath.plain) ?? out.map(AbsolutePath.onThisMachine) ?? "/var/www/aasa"
        guard !root.unicodeScalars.contains("\u{FFFD}") else {
            throw CommandFailure.usage("the path \(quoted(root)) is not UTF-8; name another one with --install-root")
        }
        return root
    }

    /// - Parameter help: what to do about files with other content.
    private func write(
        _ files: [ExportPlan.File], to folder: RawPath, help: String
    ) throws(CommandFailure) -> [ExportWriter.Outcome] {
        let writer = ExportWriter(files: files, root: folder, replaces: force)
        do throws(ExportWriter.Failure) {
            return try writer.write()
        } catch {
            if error.isAboutOtherContent, format == .text { showDifferences(writer) }
            let clauses = error.obstacles.map { "cannot write '\($0.path.text)': \($0.reason)" }
            let what = error.isPartial ? "not all files are" : "nothing is"
            throw CommandFailure(
                status: .outputFailed, code: .unwritableFile,
                message: "\(what) written: \(clauses.joined(separator: "; "))",
                help: error.isAboutOtherContent ? help : nil,
                path: error.obstacles.first?.path.text)
        }
    }

    /// Shows what an export would change in the files that are there.
    private func showDifferences(_ writer: ExportWriter) {
        let most = 40
        for file in writer.files {
            let path = writer.path(of: file).text
            // One that is larger than any association file was not exported from here.
            guard let old = try? FileReader.read(path, limit: FileSizes.read).bytes,
                old.count <= FileSizes.read
            else { continue }
            let lines = UnifiedDiff(old: old, new: file.bytes, path: path).lines
            for line in lines.prefix(most) {
                StandardError.write(VisibleText.escaped(String(text: line)))
            }
            if lines.count > most { StandardError.write("… \(grouped(lines.count - most)) more lines") }
        }
    }

    private static func help(_ recipe: HostRecipe) -> String {
        recipe.isMerged
            ? "add the output of 'aasa export \(recipe.name)' by hand, or replace the files with --force; then deploy again, "
                + "because what is live is a copy"
            : "replace the files with --force, and deploy again: what is live may be a copy of them"
    }
}

/// Absolute paths without `.`, `..` and double slashes, which configurations compare as text.
enum AbsolutePath {
    /// - Parameter path: Of another machine.
    static func plain(_ path: String) -> String {
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    /// - Parameter path: Of this machine, where the folder before a `..` may be a link.
    static func onThisMachine(_ path: String) -> String {
        var result = path.hasPrefix("/") ? "" : plain(Path.workingDirectory ?? "/")
        for name in path.split(separator: "/") where name != "." {
            if name == ".." {
                result = Path.folder(of: Path.resolved(result) ?? result)
            } else {
                result = result == "/" ? "/\(name)" : "\(result)/\(name)"
            }
        }
        return result.isEmpty ? "/" : result
    }
}
