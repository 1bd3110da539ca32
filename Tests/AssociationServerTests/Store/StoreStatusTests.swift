import AssociationServer
import Diagnostics
import Foundation
import SiteStore
import Synchronization
import TestSupport
import Testing

/// The state of a store, as it is seen from outside (store.md, section 9).
@Suite("The state of a store", .waiting)
struct StoreStatusTests {
    private static var status: StoreStatus {
        var status = StoreStatus()
        status.node = "edge-1"
        status.generation = 812
        status.isUp = true
        status.lastSync = 1_767_225_600
        status.reconnects = 3
        status.reads = [
            StoreStatus.Read(isFull: true, hasFailed: false): 1, StoreStatus.Read(isFull: false, hasFailed: true): 4,
        ]
        status.readMicroseconds = 1_250_000
        status.cacheFailures = 2
        status.cacheWritten = 1_767_225_601
        status.sharedTicketKeys = 2
        return status
    }

    private static let finding = LocatedDiagnostic(
        .storeListenBroken, "store", "notifications do not arrive", help: "connect to the database directly")

    @Test("/sites has the state of the store and its problems")
    func sites() throws {
        let admin = try RunningAdmin(
            FakeAdminSource { $0.store = StoreReport(Self.status, problems: [Self.finding]) })
        let bytes = try admin.curl("/sites").output
        let document = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        let store = try #require(document?["store"] as? [String: Any])
        #expect(store["generation"] as? Int == 812 && store["up"] as? Bool == true)
        #expect(store["listening"] as? Bool == false && store["fromCache"] as? Bool == false)
        #expect(store["node"] as? String == "edge-1" && store["lastSync"] as? String == "2026-01-01T00:00:00Z")
        let problems = try #require(store["problems"] as? [[String: Any]])
        #expect(problems.map { $0["code"] as? String } == ["store-listen-broken"])
    }

    @Test("without a store /sites and /metrics say nothing of one")
    func withoutStore() throws {
        let admin = try RunningAdmin()
        let sites = String(decoding: try admin.curl("/sites").output, as: UTF8.self)
        #expect(sites.contains("\"sites\"") && !sites.contains("\"store\""))
        let metrics = String(decoding: try admin.curl("/metrics").output, as: UTF8.self)
        #expect(metrics.contains("aasa_connections") && !metrics.contains("aasa_store_"))
    }

    @Test("/metrics has what can be alerted on")
    func metrics() throws {
        let admin = try RunningAdmin(FakeAdminSource { $0.store = StoreReport(Self.status) })
        let metrics = try PrometheusText(String(decoding: try admin.curl("/metrics").output, as: UTF8.self))
        #expect(metrics.value("aasa_store_up") == 1)
        #expect(metrics.value("aasa_store_listening") == 0)
        #expect(metrics.value("aasa_store_generation") == 812)
        #expect(metrics.value("aasa_store_last_sync_seconds") == 1_767_225_600)
        #expect(metrics.value("aasa_store_reconnects_total") == 3)
        #expect(metrics.value("aasa_store_reads_total", ["kind": "full", "result": "ok"]) == 1)
        #expect(metrics.value("aasa_store_reads_total", ["kind": "incremental", "result": "failed"]) == 4)
        #expect(metrics.value("aasa_store_reads_total", ["kind": "full", "result": "failed"]) == 0)
        #expect(metrics.value("aasa_store_read_seconds_total") == 1.25)
        #expect(metrics.value("aasa_store_cache_failures_total") == 2)
        #expect(metrics.value("aasa_store_cache_written_seconds") == 1_767_225_601)
        #expect(metrics.value("aasa_ticket_keys_shared") == 2)
    }

    @Test("a finding is logged once, ends in its code, and is a problem until it is withdrawn")
    func findings() throws {
        let followed = try FollowedServer()
        followed.server.show(Self.status)
        for _ in 0..<3 { followed.server.report(Self.finding) }
        let lines = followed.log.lines.filter { $0.contains("store-listen-broken") }
        #expect(
            lines == [
                "warning store: notifications do not arrive; help: connect to the database directly [store-listen-broken]"
            ])
        #expect(followed.server.storeReport?.problems == [Self.finding])
        followed.server.withdraw(.storeUnreachable)
        #expect(followed.server.storeReport?.problems == [Self.finding])
        followed.server.withdraw(.storeListenBroken)
        #expect(followed.server.storeReport?.problems.isEmpty == true)
        #expect(followed.server.storeReport?.status == Self.status)
    }

    @Test("a reload that somebody asks for reaches whoever follows the store")
    func reload() throws {
        let followed = try FollowedServer()
        let polls = Mutex<[Double]>([])
        followed.server.whenStoreReloadIsRequested { configuration in
            polls.withLock { $0.append(configuration.store.poll) }
        }
        followed.reload { $0.store.poll = 5 }
        #expect(polls.withLock { $0 } == [5])
        followed.reload {
            $0.store.address = "postgresql://elsewhere/links"
            $0.store.poll = 5
        }
        #expect(followed.log.wait(for: "'store' of the configuration changed, which takes effect after a restart"))
        #expect(polls.withLock { $0 } == [5, 5])
    }

    @Test("a log line names at most ten domains")
    func manyDomains() throws {
        let followed = try FollowedServer()
        followed.apply((10..<40).map { FollowedServer.file("\($0).example", FollowedServer.document()) })
        let line = try #require(followed.log.lines.first { $0.contains("30 sites added") })
        #expect(line.contains("19.example, …)") && !line.contains("20.example"))
    }

    @Test("one change among many sites costs little of the time that reading them all takes")
    func oneChange() throws {
        let followed = try FollowedServer()
        let count = 5_000
        let files = (0..<count).map { FollowedServer.file("\($0).example", FollowedServer.document("n\($0)")) }
        let clock = ContinuousClock()
        let all = clock.measure { _ = followed.apply(files, isComplete: true) }
        let changes = (0..<10).map { number in
            clock.measure {
                _ = followed.apply([
                    FollowedServer.file(
                        "\(number).example", FollowedServer.association, 2, FollowedServer.document("x"))
                ])
            }
        }
        let one = try #require(changes.min())
        #expect(one * 20 < all, "one change took \(one), all \(all)")
        #expect(try followed.get("9.example").body == FollowedServer.document("x"))
        #expect(try followed.get("10.example").body == FollowedServer.document("n10"))
    }
}
