import AssociationServer
import CommandLineSupport
import Diagnostics
import Logging
import PostgreSQLStore
import SiteStore

// aasa serve with a store
extension Serve {
    /// Makes the node that follows the store; nil without one.
    static func node(_ configuration: ServerConfiguration, _ logger: Logger) throws(ServerError) -> StoreNode? {
        guard let cache = configuration.store.cache,
            let address = try storeAddress(configuration, logger)
        else { return nil }
        var settings = StoreNode.Settings(address: address, cache: cache, programVersion: AASA.version)
        settings.keyFile = configuration.store.keyFile
        settings.poll = configuration.store.poll
        settings.node = configuration.store.node
        do throws(StoreNode.StartError) {
            return try StoreNode(settings, logger: logger)
        } catch {
            throw ServerError(error, address)
        }
    }

    /// Follows the store from now on; returns when there is something to serve.
    static func start(_ node: StoreNode, _ server: LinkServer) throws(ServerError) {
        server.whenStoreReloadIsRequested { configuration in
            node.reload(keyFile: configuration.store.keyFile, poll: configuration.store.poll)
        }
        do throws(StoreNode.StartError) {
            try node.start(server)
        } catch {
            throw ServerError(error, node.address)
        }
    }

    /// Reads everything that the store has, for `--check`.
    static func readStore(
        _ configuration: ServerConfiguration, into server: LinkServer, _ logger: Logger
    ) throws(ServerError) {
        guard let address = try storeAddress(configuration, logger) else { return }
        let keys = try storeKeys(configuration)
        do throws(StoreError) {
            _ = try StoreNode.readOnce(address, keys: keys, into: server)
        } catch {
            throw ServerError(error, .addressUnavailable)
        }
    }

    /// The keys of the store; nil without a key file.
    static func storeKeys(_ configuration: ServerConfiguration) throws(ServerError) -> StoreKeyRing? {
        guard let path = configuration.store.keyFile else { return nil }
        do throws(StoreKeyFileError) {
            return try StoreKeyFile(path).keys
        } catch {
            throw ServerError(.configuration, error.description)
        }
    }

    /// The address of the store; nil without one.
    static func storeAddress(
        _ configuration: ServerConfiguration, _ logger: Logger?
    ) throws(ServerError) -> StoreAddress? {
        guard let text = configuration.store.address else { return nil }
        do throws(StoreError) {
            let address = try StoreAddress(text, applicationName: "aasa/\(AASA.version)")
            for warning in address.warnings {
                logger?.warning("\(LocatedDiagnostic(warning, at: address.description).logLine)")
            }
            return address
        } catch {
            throw ServerError(error, error.kind == .usage ? .configuration : .addressUnavailable)
        }
    }
}

extension ServerError {
    /// A store that cannot be used.
    init(_ error: StoreError, _ code: Code) {
        let rule = error.rule.map { " [\($0.code.rawValue)]" } ?? ""
        self.init(code, error.message + rule, help: error.help)
    }

    /// A node that cannot start.
    fileprivate init(_ error: StoreNode.StartError, _ address: StoreAddress) {
        switch error {
        case .cache(let error):
            let isUnusable = error.kind == .unusable || error.kind == .damaged
            self.init(isUnusable ? .unreadable : .addressUnavailable, "'\(error.path)': \(error.cacheMessage)")
        case .keyFile(let error): self.init(.configuration, error.description)
        case .thread(let reason): self.init(.setUp, "no thread can be started: \(reason)")
        case .nothingToServe(let failure):
            self.init(
                .addressUnavailable,
                "there is nothing to serve, as there is no cache, and the store cannot be used: \(address): "
                    + "\(failure.brief) [\(failure.ruleOfNode.code.rawValue)]", help: failure.help)
        }
    }
}
