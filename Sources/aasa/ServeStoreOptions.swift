import ArgumentParser
import AssociationServer
import SiteStore

/// The options of `aasa serve` about a store.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take sites and certificates from the PostgreSQL database at URL instead of folders.", valueName: "url"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "Keep what was read of the store in FOLDER, to start from it when the database is away (required with --store).",
            valueName: "folder"),
        completion: .directory)
    var storeCache: String?

    @Option(
        help: ArgumentHelp("Decrypt private keys in the store with the keys in FILE.", valueName: "file"),
        completion: .file())
    var storeKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "Look for changes in the store every SECONDS, besides notifications (default: 30).", valueName: "seconds"))
    var storePoll: Double?

    @Option(
        help: ArgumentHelp(
            "Be NAME in the store (default: the host name, '-' and 8 digits).", valueName: "name"))
    var storeNode: String?

    var flags: StoreFlags {
        StoreFlags(address: store, cache: storeCache, keyFile: storeKeyFile, poll: storePoll, node: storeNode)
    }
}

/// The values of these options, which override keys of server.json.
struct StoreFlags: Sendable {
    var address: String?
    var cache: String?
    var keyFile: String?
    var poll: Double?
    var node: String?

    /// The fault of their values, as a clause; nil if there is none. An address is never quoted: it may have a password.
    var problem: String? {
        if address?.isEmpty == true {
            return "'--store' is empty; expected a URI like 'postgresql://aasa@db.internal/links'"
        }
        for (option, path) in [("--store-cache", cache), ("--store-key-file", keyFile)] where path?.isEmpty == true {
            return "'\(option)' is empty; expected a path"
        }
        if let poll, !StoreConfiguration.pollRange.contains(poll) {
            return "'--store-poll \(poll)' is out of range; expected seconds from 1 to 3600"
        }
        if let node, !StoreNames.isNodeName(node) {
            return
                "'--store-node \(node)' cannot be used; expected 1 to 64 letters, digits, dots, underscores and hyphens"
        }
        return nil
    }

    func apply(to store: inout StoreConfiguration) {
        func set<Value>(
            _ key: String, _ option: String, _ value: Value?, _ assign: (inout StoreConfiguration, Value) -> Void
        ) {
            guard let value else { return }
            assign(&store, value)
            store.origins[key] = .option(option)
        }
        set("store", "--store", address) { $0.address = $1 }
        set("storeCache", "--store-cache", cache) { $0.cache = $1 }
        set("storeKeyFile", "--store-key-file", keyFile) { $0.keyFile = $1 }
        set("storePoll", "--store-poll", poll) { $0.poll = $1 }
        set("storeNode", "--store-node", node) { $0.node = $1 }
    }
}
