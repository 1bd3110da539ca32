import ArgumentParser
import AssociationServer
import BoundedText
import CommandLineSupport
import Diagnostics
import DomainNames
import Glibc
import PostgreSQLStore
import SiteStore

/// Which store a command works with, and how it writes its results.
struct StoreSelection: ParsableArguments {
    /// The variable that names the store.
    static let variable = "AASA_STORE"

    @Option(
        help: ArgumentHelp(
            "Use the store at URL, or with these options of libpq (default: AASA_STORE, then 'store' in server.json).",
            valueName: "url"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "Read FILE as server.json (default: Config/server.json where it exists).", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(help: "Set the output format.")
    var format = ResultFormat.text

    @OptionGroup var output: OutputOptions

    /// Runs a command, and says why it cannot do its work, if it cannot.
    func reporting(_ tool: String, _ body: () throws -> Void) throws {
        try CommandFailure.reporting(in: format.failures, tool, output) {
            do {
                try body()
            } catch let error as StoreError {
                throw CommandFailure(error)
            } catch let error as StoreKeyFileError {
                throw CommandFailure(
                    status: .unusableData, code: .unusableFile,
                    message: "\(error.path)\(error.line.map { ":\($0)" } ?? ""): \(error.message)",
                    help: StoreKeyFileError.help, path: error.path)
            }
        }
    }

    /// Prints a result: its lines, or, for a program, one object with these members.
    func write(_ lines: @autoclosure () -> [String], json members: @autoclosure () -> [String: JSONOutput]) {
        format.print(lines(), json: members())
    }

    /// Connects to the store that the options, the environment or server.json name.
    func connect() throws -> StoreConnection { try StoreConnection(address(), .command) }

    /// The address of the store; says what is wrong with it on standard error.
    func address() throws -> StoreAddress {
        let (text, place) = try location()
        let address: StoreAddress
        do throws(StoreError) {
            address = try StoreAddress(text, applicationName: "aasa/\(AASA.version)")
        } catch {
            guard error.kind == .usage else { throw error }
            let status: ExitStatus = place == nil ? .usage : .unusableData
            let start = place.map { "\($0): 'store': " } ?? ""
            throw CommandFailure(
                status: status, code: status == .usage ? .usage : .unusableFile, message: start + error.message,
                help: error.help, path: place)
        }
        for warning in address.warnings {
            StandardError.write("warning: \(address): \(warning.message) [\(warning.code.rawValue)]")
            if let advice = warning.advice { StandardError.write("help: \(advice)") }
        }
        return address
    }

    /// The text of the address, and the file that it is from.
    private func location() throws -> (text: String, file: String?) {
        if let named { return (named, nil) }
        if let text = try serverConfiguration().store.address {
            return (text, config ?? ServerConfiguration.defaultPath)
        }
        throw CommandFailure(
            status: .usage, code: .usage, message: "no store is given",
            help: "name it with --store, in the variable \(Self.variable), or as 'store' in server.json (--config)")
    }

    /// The settings that files are judged by: those of server.json where the command reads it, otherwise the defaults.
    func judgingSettings() throws -> ServerConfiguration {
        config == nil && named != nil ? ServerConfiguration() : try serverConfiguration(reportsFindings: false)
    }

    /// The address that the option or the environment names.
    private var named: String? {
        store ?? getenv(Self.variable).map { String(cText: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// server.json, or the defaults where there is none.
    ///
    /// - Parameter reportsFindings: Whether what is wrong with it, but does not keep it from being used, is printed.
    func serverConfiguration(reportsFindings: Bool = true) throws -> ServerConfiguration {
        do throws(ServerError) {
            return try ServerConfiguration.load(path: config) { finding in
                guard reportsFindings else { return }
                for line in finding.block { StandardError.write(line) }
            }
        } catch {
            throw error.exitStatus.failure(error.messages)
        }
    }
}

/// The file with the keys that secrets in the store are encrypted with.
struct StoreKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the keys of the store from FILE (default: 'storeKeyFile' in server.json).", valueName: "file"),
        completion: .file())
    var storeKeyFile: String?

    /// The keys; nil if no file is named.
    func keys(_ options: StoreSelection) throws -> StoreKeyRing? {
        guard let path = try storeKeyFile ?? options.serverConfiguration().store.keyFile else { return nil }
        let file = try StoreKeyFile(path)
        for warning in file.warnings { for line in warning.block { StandardError.write(line) } }
        return file.keys
    }

    /// The keys, which a command cannot do without.
    func requiredKeys(_ options: StoreSelection) throws -> StoreKeyRing {
        if let keys = try keys(options) { return keys }
        throw CommandFailure(
            status: .usage, code: .usage, message: "no key file is given",
            help: "name it with --store-key-file, or as 'storeKeyFile' in server.json (--config)")
    }
}

extension CommandManual {
    /// The manual of a command that uses a store, with the exit codes and the variable that all of them have.
    static func ofStore(examples: [Example], exits: [Exit], seeAlso: [String]) -> CommandManual {
        CommandManual(
            examples: examples,
            exits: exits + [
                .init(.usage, "if the arguments are wrong, or no store is given"),
                .init(.unusableData, "if server.json cannot be used"),
                .init(.unavailable, "if the store cannot be used"),
            ],
            environment: [.init(StoreSelection.variable, "The store, if --store does not name one.")], seeAlso: seeAlso)
    }
}

extension StandardOutput {
    /// Writes bytes, and nothing after them.
    static func print(bytes: [UInt8]) {
        var output = StandardOutput()
        output.write(bytes: bytes)
        output.flush()
    }
}

extension CommandFailure {
    /// A store that cannot be used.
    init(_ error: StoreError) {
        let codes: [CommandFailure.Code] = [
            .storeUnreachable, .storeNotInitialised, .storeSchemaNewer, .storeSchemaOlder, .storePermissionDenied,
        ]
        let code = codes.first { $0.rawValue == error.rule?.code.rawValue }
        self.init(
            status: error.kind == .usage ? .usage : .unavailable, code: code ?? .unusableStore,
            message: error.message + (code.map { " [\($0.rawValue)]" } ?? ""), help: error.help)
    }

    /// A file or a version that the store does not have.
    static func notInStore(_ message: String, help: String? = nil) -> CommandFailure {
        CommandFailure(status: .failed, code: .notInStore, message: message, help: help)
    }
}

/// The domain of a site, as people write it.
struct DomainArgument {
    /// As the store has it.
    let domain: String

    /// Reads an argument.
    static func read(_ text: String) throws -> DomainArgument {
        do throws(DomainError) {
            return DomainArgument(domain: try Domain(text: text).identifier)
        } catch {
            throw ValidationError("\(quoted(text)) \(error.message)" + (error.help.map { "; \($0)" } ?? ""))
        }
    }

    /// A host of the site, for URLs.
    var host: String { Domain(domain)?.exampleHost ?? domain }
}

/// The name of a file of a site.
struct FileNameOption: ParsableArguments {
    static let standard = "apple-app-site-association"

    @Option(
        help: ArgumentHelp("Use the file NAME of the site (default: \(Self.standard)).", valueName: "name"),
        transform: FileNameOption.read)
    var name: String?

    static func read(_ text: String) throws -> String {
        do throws(StoreNameError) {
            return try StoreNames.fileName(text)
        } catch {
            throw ValidationError(error.help.map { "\(error.message); \($0)" } ?? error.message)
        }
    }
}
