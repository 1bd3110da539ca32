import ArgumentParser
import CommandLineSupport
import Diagnostics
import EventLoops
import OpenSSL
import PostgreSQLStore
import SiteStore
import SystemSupport

/// `aasa store`: the commands of those who run a store.
struct StoreGroup: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Set up and maintain a store: the database from which many servers take their sites.",
        discussion: manual.discussion(),
        subcommands: [
            StoreInit.self, StoreMigrate.self, StoreStatusCommand.self, StoreImportCommand.self, StoreExport.self,
            StoreConfirm.self, StoreNodesCommand.self, StoreKey.self, StoreRekey.self,
        ])

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa store init --store postgresql://admin@db/links", "set up a store"),
            .init("aasa store status", "look at it, and at the servers that follow it"),
            .init("aasa store import /etc/aasa/sites", "publish a folder of sites"),
        ],
        exits: [.init(.done, "if it succeeded"), .init(.failed, "if something was found")],
        seeAlso: ["aasa-publish(1)", "aasa-serve(1)", "aasa-sites(1)"])
}

struct StoreInit: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create the schema, the roles and their rights in a database.",
        discussion: manual.discussion(
            """
            It can be repeated: what is there stays, and the rights are granted again. --print writes the SQL for 'psql' \
            instead, and makes no connection.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa store init --store postgresql://admin@db/links", "set up a store"),
            .init("aasa store init --print | psql links", "set it up with psql"),
        ],
        exits: [.init(.done, "if the store is set up")],
        seeAlso: ["aasa-store-migrate(1)"])

    @Flag(help: "Write the SQL to standard output, and run nothing.")
    var print = false

    @OptionGroup var options: StoreSelection

    func run() throws { try options.reporting("aasa store init", initialise) }

    private func initialise() throws {
        if print { return StandardOutput.print(bytes: Array(StoreSchema.sql.utf8)) }
        let connection = try options.connect()
        let (result, version) =
            switch try StoreSchema.initialise(connection) {
            case .created(let version): ("initialised", version)
            case .existing(let version): ("already initialised", version)
            }
        options.write(
            ["\(result), schema \(version)"],
            json: ["created": .boolean(result == "initialised"), "schema": .number(version)])
    }
}

struct StoreMigrate: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the schema of a store to the version that this program needs.",
        discussion: manual.discussion(
            """
            Upgrade in this order: the store, then the servers, in any order among them. --print writes the SQL for 'psql' \
            instead of running it.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [.init("aasa store migrate --store postgresql://admin@db/links", "apply what is missing")],
        exits: [.init(.done, "if nothing is missing any more")],
        seeAlso: ["aasa-store-init(1)"])

    @Flag(help: "Write the SQL to standard output, and run nothing.")
    var print = false

    @OptionGroup var options: StoreSelection

    func run() throws { try options.reporting("aasa store migrate", migrate) }

    private func migrate() throws {
        let connection = try options.connect()
        if print {
            let held = try StoreSchema.versions(connection)
            return StandardOutput.print(bytes: Array(StoreSchema.script(after: held.schema).utf8))
        }
        let applied = try StoreSchema.migrate(connection)
        options.write(
            [
                applied.isEmpty
                    ? "nothing to migrate, schema \(StoreSchema.version)"
                    : "migrated to schema \(applied.map { "\($0)" }.joined(separator: ", "))"
            ],
            json: ["applied": .array(applied.map(JSONOutput.number)), "schema": .number(StoreSchema.version)])
    }
}

struct StoreKey: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Print a new line for the file of keys that secrets in a store are encrypted with.",
        discussion: manual.discussion(
            """
            To change keys, put the new line first into the file on all machines, reload the servers, run \
            'aasa store rekey', and remove the old line when 'aasa store status' lists the new key only.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("umask 077; aasa store key > /etc/aasa/store.key", "make a key file"),
            .init(
                "umask 077; aasa store key --store-key-file store.key | cat - store.key > new.key",
                "put another key before those of a file"),
        ],
        exits: [
            .init(.done, "if a key was made"), .init(.usage, "if the arguments are wrong"),
            .init(.unusableData, "if the key file cannot be used"),
        ], seeAlso: ["aasa-store-rekey(1)"])

    @Option(
        help: ArgumentHelp("Give the key another name than those in FILE have.", valueName: "file"),
        completion: .file())
    var storeKeyFile: String?

    func run() throws {
        var names: [String] = []
        if let path = storeKeyFile {
            do throws(StoreKeyFileError) {
                names = try StoreKeyFile(path).keys.keys.map(\.id)
            } catch {
                throw ExitStatus.unusableData.failure("error: \(error.description)")
            }
        }
        let line: SecretBytes
        do throws(OpenSSLError) {
            line = try StoreKeyFile.newLine(date: CivilDate(secondsSince1970: Clock.wallSeconds()), besides: names)
        } catch {
            throw ExitStatus.internalError.failure("error: no key can be made: \(error.description)")
        }
        line.withBytes { StandardOutput.print(bytes: Array($0)) }
    }
}

struct StoreRekey: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Encrypt the secrets in a store with the first key of the key file.",
        discussion: manual.discussion(
            "It needs the rights of a node. It can be stopped and repeated: what has the first key already is left.")
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa store rekey --store-key-file /etc/aasa/store.key", "use the new key for everything")
        ],
        exits: [
            .init(.done, "if everything has the first key"),
            .init(.failed, "if a secret cannot be decrypted, because its key is missing or another one"),
        ],
        seeAlso: ["aasa-store-key(1)", "aasa-store-status(1)"])

    @OptionGroup var keys: StoreKeyOptions
    @OptionGroup var options: StoreSelection

    func run() throws { try options.reporting("aasa store rekey", rekey) }

    private func rekey() throws {
        let ring = try keys.requiredKeys(options)
        let connection = try options.connect()
        let outcome = try StoreRekeying.run(ring, over: connection)
        for failure in outcome.failures {
            StandardError.write("error: \(failure.path): \(failure.message) [\(failure.rule.code.rawValue)]")
        }
        options.write(
            [
                outcome.changed == 0
                    ? "nothing to do: all secrets have key '\(ring.keys.first?.id ?? "")'"
                        + (outcome.failures.isEmpty ? "" : ", or cannot be decrypted")
                    : "\(counted(outcome.changed, "secret")) encrypted with key '\(ring.keys.first?.id ?? "")'"
            ],
            json: [
                "changed": .number(outcome.changed), "failed": .array(outcome.failures.map { .string($0.path) }),
                "keyID": .optional(ring.keys.first?.id),
            ])
        if !outcome.failures.isEmpty { throw ExitStatus.failed.code }
    }
}
