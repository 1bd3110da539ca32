import AppProjects
import ArgumentParser
import AssociationConsole
import AssociationFiles
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics
import EventLoops
import FindingCatalogue
import Glibc
import JSONSyntax
import SystemSupport
import UniversalLinks

struct Console: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Show files, live domains, their findings and what links do in a browser, and try changes.",
        discussion: manual.discussion(
            """
            Listens on this machine only, on a free port unless --listen sets one, and prints the URL to open. The URL has a \
            secret in it, new with each start, so that other users of the machine cannot read the files. Files are read \
            again for each page, and never written. Folders are searched as by 'aasa validate', but a manifest is shown only if \
            it is named itself. A domain or link opens the page that checks it as 'aasa doctor' does, when you ask it to. Press \
            Control-C to stop it.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa console", "edit an example file, with its findings and decisions beside it"),
            .init("aasa console --open site/", "show the files in a folder in the browser"),
            .init(
                "aasa console --domain example.com --listen 8090 apple-app-site-association",
                "show a file as that of a domain, on port 8090"),
            .init("aasa console --open example.com", "check a live domain, and open its file in the playground"),
        ],
        exits: [
            .init(.done, "if SIGINT or SIGTERM ended it"),
            .init(.unusableData, "if the --ca-file file cannot be used"),
            .init(.missingFile, "if a file cannot be read"),
            .init(.unavailable, "if the address is in use"),
        ],
        seeAlso: ["aasa-doctor(1)", "aasa-route(1)", "aasa-serve(1)", "aasa-validate(1)"])

    @Argument(
        help: ArgumentHelp("Files and folders; a domain or an http or https URL to check.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Listen on this loopback address, such as 127.0.0.1:8090 or [::1]:8090, or on this port of 127.0.0.1 (default: a free port).",
            valueName: "address"))
    var listen: String?

    @OptionGroup var domain: DomainOption

    @Flag(help: "Open the URL in the browser.")
    var open = false

    @OptionGroup(title: "Checks of domains") var network: DoctorNetworkOptions

    func validate() throws {
        if files.contains("-") {
            throw ValidationError("standard input cannot be read again and again; name a file")
        }
        _ = try address()
    }

    /// The address to listen on.
    private func address() throws -> SocketAddress {
        let text = listen ?? "0"
        let isPort = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let full =
            isPort
            ? "127.0.0.1:\(text)" : text.hasPrefix("localhost:") ? "127.0.0.1:\(text.dropFirst(10))" : text
        guard let address = SocketAddress(full) else {
            throw ValidationError("--listen: \(quoted(text)) is not an address with a port; write it as 127.0.0.1:8090")
        }
        guard address.isLoopback else {
            throw ValidationError(
                "--listen: \(quoted(text)) can be reached by other machines; use 127.0.0.1 or [::1]")
        }
        return address
    }

    func run() throws {
        // Before anything that takes time: a signal ends it as it should.
        let signals = SignalSource([.interrupt, .terminate]) { _ in _exit(ExitStatus.done.rawValue) }
        let targets = self.files.filter { FileArgument($0).isTarget }
        guard targets.count < 2 else {
            throw ExitStatus.usage.failure(
                "error: \(targets.count) domains or links are named; name one, and type the others into the page")
        }
        if let roots = network.roots {
            do throws(DoctorFailure) {
                _ = try DoctorRun.trust(roots)
            } catch {
                throw error.report(in: .text)
            }
        }
        let files = try ConsoleFileList(
            self.files.filter { !targets.contains($0) }, domain: domain.name, LiveChecks(network))
        let address = try address()
        let listener: Listener
        do throws(SystemError) {
            listener = try Listener(address)
        } catch {
            throw ExitStatus.unavailable.failure("error: cannot listen on \(address): \(error.reason)")
        }
        let token = Self.token()
        let server: AdminServer
        do throws(SystemError) {
            server = try AdminServer(
                listener: listener, files: files, secretBase: "/\(token)/", rules: AllRules.catalogue,
                version: AASA.version)
        } catch {
            throw ExitStatus.unavailable.failure("error: cannot start: \(error.reason)")
        }
        server.start()
        let url = "http://\(listener.address)/\(token)/\(ConsoleRoute.path(toCheck: targets.first))"
        signals.waitUntilWatched()
        if self.files.isEmpty {
            StandardError.write(
                "note: no file is named, so the playground has an example; 'aasa console .' shows the files in this folder"
            )
        }
        StandardOutput.print([url])
        if self.open { Browser.open(url) }
        withExtendedLifetime((signals, server)) { while true { pause() } }
    }

    /// 32 hexadecimal digits from the system's random source.
    private static func token() -> String {
        Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}

/// The files of the command, each of which could be read when it was started.
private struct ConsoleFileList: ConsoleFiles {
    private static let maxFiles = 100

    private let files: [RawPath]
    let domain: String?
    private let checks: LiveChecks

    var paths: [String] { files.map(\.shown) }

    init(_ arguments: [String], domain: String?, _ checks: LiveChecks) throws {
        (self.domain, self.checks) = (domain, checks)
        var files: [RawPath] = []
        for argument in arguments {
            let path = RawPath(argument: argument)
            guard path.isFolder else {
                files.append(path)
                continue
            }
            let found = AssociationFileSearch(in: path)
            if let folder = found.unreadable.first {
                throw Self.failure("cannot read the folder '\(folder.path.shown)': \(folder.error.reason)")
            }
            let shown = found.files.filter { FileKind(path: $0.text) != .manifest }
            guard !shown.isEmpty else {
                throw Self.failure(
                    "no file named \(AssociationFileName.name) or assetlinks.json in the folder '\(path.shown)'")
            }
            files += shown
        }
        guard files.count <= Self.maxFiles else {
            throw ExitStatus.usage.failure(
                "error: \(grouped(files.count)) files are more than the console shows; name at most \(Self.maxFiles)")
        }
        for file in files {
            do throws(SystemError) {
                _ = try FileReader.readToEnd(file, limit: 0)
            } catch {
                throw Self.failure("cannot read '\(file.shown)': \(error.reason)")
            }
        }
        self.files = files
    }

    private static func failure(_ message: String) -> ExitCode {
        ExitStatus.missingFile.failure("error: \(message)")
    }

    func content(at index: Int) -> Result<[UInt8], SystemError> {
        Result { () throws(SystemError) in try FileReader.readToEnd(files[index], limit: FileSizes.read) }
    }

    func doctor(_ target: String) -> DoctorAnswer { checks.check(target) }

    func live(_ authority: String) -> LiveFiles? { checks.files(of: authority) }

    func report(_ bytes: [UInt8], path: String) -> FileReport {
        let kind = FileKind(path: path, bytes)
        guard kind == .manifest else {
            var checker = FileChecker(rules: AllRules.catalogue)
            return checker.judge(bytes, as: SiteFile(kind: kind, name: path), path: path, by: checker.linter).report
        }
        switch manifest(bytes, name: path) {
        case .read(let root, let source, let isAsInFile):
            return Linter().checkManifest(root, source: source, isAsInFile: isAsInFile).report()
        case .unusable(let report): return report
        case .unavailable: return FileReport(SourceText(bytes, path: path), [])
        }
    }

    func manifest(_ bytes: [UInt8], name: String) -> ConsoleManifest { .reading(bytes, name: name) }
}

extension ConsoleManifest {
    /// Reads the manifest in a file.
    static func reading(_ bytes: [UInt8], name: String) -> ConsoleManifest {
        do throws(AppProjectError) {
            let manifest = try ManifestFile(bytes, path: name)
            return .read(manifest.root, source: manifest.source, isAsInFile: manifest.isAsInFile)
        } catch {
            let position = error.position.map { "line \($0.line), column \($0.column): " } ?? ""
            let report = UnreadableFile.report(name, position + error.message, help: error.help)
            // A text that is not XML is shown all the same, so that the position can be found.
            return .unusable(
                error.position == nil ? report : FileReport(SourceText(bytes, path: name), report.diagnostics))
        }
    }
}

/// The browser of the person who has started the program.
private enum Browser {
    #if os(macOS)
    private static let program = "open"
    #else
    private static let program = "xdg-open"
    #endif

    /// Opens a URL; says so if that fails, and goes on.
    static func open(_ url: String) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Its output is not ours.
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Control-C in the terminal is not meant for the browser.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var arguments = [strdup(program), strdup(url), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, &actions, &attributes, &arguments, environ)
        guard result == 0 else {
            return StandardError.write(
                "warning: cannot start '\(program)': \(SystemError(call: "posix_spawnp", number: result).reason)")
        }
        watch(process)
    }

    private static func watch(_ process: pid_t) {
        BrowserWait.start(process) { status in
            if status != 0 { StandardError.write("warning: '\(program)' cannot open the URL") }
        }
    }
}
