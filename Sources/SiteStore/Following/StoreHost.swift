package import Diagnostics
package import OpenSSL

/// A server as what follows a store sees it: all that the two have to do with each other.
///
/// All methods may be called on any thread but those of loops, and return when every loop serves what was given.
package protocol StoreHost: AnyObject, Sendable {
    /// The bounds of what is read of the store from now on.
    var storeLimits: StoreLimits { get }

    /// Checks files and certificates, and serves what is good of them.
    ///
    /// A file with errors is not served: its last good version stays. Where there is none in memory, the answer names the
    /// file in `withoutGoodVersion`, and the caller looks for an older one in the store.
    func apply(_ update: StoreUpdate) -> StoreOutcome

    /// Says what is served now, and why files are not.
    ///
    /// - Parameter files: the ones to look at; all are in the store.
    func serving(_ files: [StoreFileKey]) -> NodeServing

    /// Answers these challenges of CAs, and no others that the store had before.
    ///
    /// - Parameter challenges: all that the store has.
    func answer(_ challenges: [StoredChallenge])

    /// Encrypts new session tickets with the first of these keys, and accepts those of all of them.
    ///
    /// - Parameter keys: the youngest first; empty to use keys of this process alone again.
    func shareTickets(_ keys: [SharedTicketKey])

    /// Shows this in `/sites` and `/metrics` from now on.
    func show(_ status: StoreStatus)

    /// Logs a finding once, and shows it as a problem until it is withdrawn by its code.
    func report(_ finding: LocatedDiagnostic)

    /// Withdraws the findings with this code.
    func withdraw(_ rule: RuleDescription)
}

/// Changes for a server, with the versions that may stand in for bad ones.
package struct StoreUpdate: Sendable {
    package var changes: StoreChanges
    /// Older versions of files whose current ones have errors, the newest first.
    package var olderVersions: [StoreFileKey: [StoredFile]] = [:]
    /// The certificates that were presented last because the current ones could not be used, by name.
    package var olderCertificates: [String: StoredCertificate] = [:]
    /// Whether the files were checked by this version of the program before, as those of the cache: they are not checked
    /// again.
    package var isChecked = false
    /// The keys that open the private keys; nil without a key file.
    package var keys: StoreKeyRing?
    /// When the change was noticed, in milliseconds of the monotonic clock, for the log; nil if nobody knows.
    package var noticedAt: Int64?

    package init(changes: StoreChanges, keys: StoreKeyRing?) {
        self.changes = changes
        self.keys = keys
    }
}

/// The result of an update on a server.
package struct StoreOutcome: Sendable {
    /// The files whose current version has errors and for which no good version is in memory. They are refused, unless the
    /// same update comes again with older versions of them.
    package var withoutGoodVersion: [StoreFileKey] = []
    /// The older versions that are served because the current one has errors.
    package var servedOlder: [StoredFile] = []
    /// All certificates that are presented because the current ones cannot be used.
    package var servedOlderCertificates: [StoredCertificate] = []
    /// The number of files of which an older version is served.
    package var stale = 0
    /// The number of files, and certificates, that are not served at all, because they have errors.
    package var refused = 0
    /// The number of sites.
    package var sites = 0

    package init() {}
}

/// A key of session tickets that all nodes of a store share.
package struct SharedTicketKey: Sendable {
    /// 16 bytes.
    package let name: [UInt8]
    /// 64 bytes: 32 for the cipher, then 32 for the authentication.
    package let secret: SecretBytes
    /// Seconds of the server's monotonic clock from which on it encrypts.
    package let useFrom: Int64

    package init(name: [UInt8], secret: SecretBytes, useFrom: Int64) {
        self.name = name
        self.secret = secret
        self.useFrom = useFrom
    }
}

/// The state of a node, for `/sites` and `/metrics`.
package struct StoreStatus: Equatable, Sendable {
    package var node = ""
    /// The generation that is served.
    package var generation: Int64 = 0
    /// Whether the database answers.
    package var isUp = false
    /// Whether notifications arrive.
    package var isListening = false
    /// Whether what is served comes from the cache, because the store was not read since the start.
    package var isFromCache = false
    /// When the store was read last, in seconds since 1970 by this machine's clock; nil if it never was.
    package var lastSync: Int64?
    package var reconnects: UInt64 = 0
    /// Reads by kind and result.
    package var reads: [Read: UInt64] = [:]
    /// The time that reads have taken, in microseconds.
    package var readMicroseconds: UInt64 = 0
    package var cacheFailures: UInt64 = 0
    /// When the cache was written last, in seconds since 1970; nil if it never was.
    package var cacheWritten: Int64?
    /// The number of ticket keys that are shared with other nodes.
    package var sharedTicketKeys = 0
    /// The nodes that follow the store, this one included, as of the last heartbeat.
    package var nodes: [StoredNode] = []

    package struct Read: Hashable, Sendable {
        package let isFull: Bool
        package let hasFailed: Bool

        package init(isFull: Bool, hasFailed: Bool) {
            self.isFull = isFull
            self.hasFailed = hasFailed
        }
    }

    package init() {}
}
