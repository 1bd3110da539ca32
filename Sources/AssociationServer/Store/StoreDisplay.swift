package import Diagnostics
internal import ServiceHealth
package import SiteStore
internal import SystemSupport

/// The state that a server shows of the store that it follows.
struct StoreDisplay: Sendable {
    /// Nil until somebody follows a store.
    var status: StoreStatus?
    /// The findings about the store itself, in the order in which they were reported.
    var findings: [TimedFinding] = []
    /// The challenges of the store that are answered.
    var challenges: [StoredChallenge: PendingChallenge] = [:]
    /// Is called when a full read is asked for, with the configuration in force.
    var whenReloadIsRequested: (@Sendable (ServerConfiguration) -> Void)?
}

/// The state of a store for `/sites` and `/metrics`.
package struct StoreReport: Sendable {
    package var status: StoreStatus
    /// The findings about the store itself.
    package var problems: [LocatedDiagnostic]

    package init(_ status: StoreStatus, problems: [LocatedDiagnostic] = []) {
        self.status = status
        self.problems = problems
    }
}

extension StoreReport {
    /// The members of `store` in `/sites` (store.md, section 9).
    var members: [String: JSONOutput] {
        [
            "generation": .number(Int(clamping: status.generation)), "up": .boolean(status.isUp),
            "listening": .boolean(status.isListening),
            "lastSync": .optional(status.lastSync.map(InternetDate.string)), "node": .string(status.node),
            "fromCache": .boolean(status.isFromCache), "problems": .array(problems.map { .object($0.members) }),
        ]
    }

    /// The metrics of a store.
    var metrics: [PrometheusMetric] {
        func gauge(_ name: String, _ help: String, _ value: Int64) -> PrometheusMetric {
            var metric = PrometheusMetric(name, .gauge, help)
            metric.add([:], value)
            return metric
        }
        var reconnects = PrometheusMetric(
            "aasa_store_reconnects_total", .counter, "Connections to the database that were opened again.")
        reconnects.add([:], Int64(clamping: status.reconnects))
        var reads = PrometheusMetric("aasa_store_reads_total", .counter, "Reads of the store.")
        for isFull in [true, false] {
            for hasFailed in [false, true] {
                let count = status.reads[StoreStatus.Read(isFull: isFull, hasFailed: hasFailed)] ?? 0
                reads.add(
                    ["kind": isFull ? "full" : "incremental", "result": hasFailed ? "failed" : "ok"],
                    Int64(clamping: count))
            }
        }
        var time = PrometheusMetric(
            "aasa_store_read_seconds_total", .counter, "The time that reads of the store have taken.")
        time.add([:], milliseconds: Int(clamping: status.readMicroseconds / 1_000))
        var failures = PrometheusMetric(
            "aasa_store_cache_failures_total", .counter, "Attempts to write the cache of the store that failed.")
        failures.add([:], Int64(clamping: status.cacheFailures))
        let known = [
            gauge("aasa_store_up", "1 if the database answers.", status.isUp ? 1 : 0),
            gauge("aasa_store_listening", "1 if notifications arrive.", status.isListening ? 1 : 0),
            gauge("aasa_store_generation", "The generation of the store that is served.", status.generation),
            reconnects, reads, time, failures,
            gauge(
                "aasa_ticket_keys_shared", "The ticket keys that are shared with other nodes.",
                Int64(status.sharedTicketKeys)),
        ]
        var nodes = PrometheusMetric("aasa_store_nodes", .gauge, "Nodes that follow the store, by state.")
        for state in StoredNode.State.allCases {
            nodes.add(["state": state.rawValue], Int64(status.nodes.count { $0.state == state }))
        }
        let sync = status.lastSync.map {
            gauge("aasa_store_last_sync_seconds", "When the store was read last, in seconds since 1970.", $0)
        }
        let written = status.cacheWritten.map {
            gauge(
                "aasa_store_cache_written_seconds",
                "When the cache of the store was written last, in seconds since 1970.",
                $0)
        }
        return known + [nodes] + [sync, written].compactMap { $0 }
    }
}
