/// What it means for a running server that its configuration is another one (server.md, section 6).
struct ConfigurationChange {
    /// What is in force from now on: the new one, with what needs a restart as it was.
    let effective: ServerConfiguration
    /// The keys that take effect now.
    let keys: [String]
    /// The keys that would take effect after a restart.
    let restartKeys: [String]

    init(from running: ServerConfiguration, to wanted: ServerConfiguration) {
        var effective = wanted
        effective.listen = running.listen
        effective.admin = running.admin
        effective.threads = running.threads
        self.effective = effective
        keys = Self.keys.filter { $0.differs(running, effective) }.map(\.name)
        restartKeys = Self.keys.filter { $0.differs(wanted, effective) }.map(\.name)
    }

    /// Whether the access log is another one.
    var hasNewAccessLog: Bool { keys.contains("log.access") || keys.contains("log.format") }

    private struct Key {
        let name: String
        let differs: @Sendable (ServerConfiguration, ServerConfiguration) -> Bool
    }

    private static let keys = [
        Key(name: "listen") { $0.listen != $1.listen },
        Key(name: "admin") { $0.admin != $1.admin },
        Key(name: "sites") { $0.sites != $1.sites },
        Key(name: "certs") { $0.certs != $1.certs },
        Key(name: "allowLinksOutside") { $0.allowLinksOutside != $1.allowLinksOutside },
        Key(name: "defaultSite") { $0.defaultSite != $1.defaultSite },
        Key(name: "threads") { $0.threads != $1.threads },
        Key(name: "cacheMaxAge") { $0.cacheMaxAge != $1.cacheMaxAge },
        Key(name: "wellKnown") { $0.wellKnown != $1.wellKnown },
        Key(name: "limits") { $0.limits != $1.limits },
        Key(name: "timeouts") { $0.timeouts != $1.timeouts },
        Key(name: "strictSites") { $0.strictSites != $1.strictSites },
        Key(name: "log.access") { $0.log.access != $1.log.access },
        Key(name: "log.format") { $0.log.format != $1.log.format },
        Key(name: "log.level") { $0.log.level != $1.log.level },
        Key(name: "log.messages") { $0.log.messages != $1.log.messages },
        Key(name: "tls") { $0.minimumTLSVersion != $1.minimumTLSVersion },
    ]
}
