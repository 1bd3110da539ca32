import Foundation
import TestSupport
import Testing

/// Nodes whose disk is full, or whose cache is gone (store.md, section 7).
@Suite("Nodes that cannot write their cache", .waiting, .needs(.postgres))
struct NodeDiskTests {
    /// A disk that can be full.
    enum Disk: CaseIterable {
        /// A small file system of its own.
        case small
        /// The largest file that the process may write.
        case limit
    }

    @Test(
        "on a full disk serving goes on, the finding comes once, and the cache is written when there is room again",
        arguments: Disk.allCases)
    func full(_ disk: Disk) throws {
        // Mounting is not permitted everywhere.
        guard disk == .limit || SmallFileSystem.isAvailable else { return }
        let rig = try StoreRig()
        let files = disk == .small ? try SmallFileSystem(in: rig.tool.folder, kilobytes: 256) : nil
        let cache = files.map { "\($0.path)/cache" } ?? rig.cachePath("one")
        try rig.publish("example.com", "a")
        let node = try rig.node("one", poll: "1", cache: cache)
        #expect(try node.waits(for: "a", of: "example.com"))
        #expect(rig.hasCache("one"))
        try files?.fill()
        if files == nil { try limit(node, "0") }
        for path in ["b", "c"] {
            try rig.publish("example.com", path)
            #expect(try node.waits(for: path, of: "example.com"))
        }
        #expect(node.waitForLog("[store-cache-unwritable]"))
        let hasFailed = try Waiting.until {
            try rig.admin("one", "/metrics").contains(/\naasa_store_cache_failures_total [2-9]/)
        }
        #expect(hasFailed)
        #expect(node.logText.components(separatedBy: "[store-cache-unwritable]").count == 2)
        #expect(try rig.admin("one", "/readyz").hasPrefix("ready"))
        try files?.free()
        if files == nil { try limit(node, "unlimited") }
        // With the next poll.
        #expect(try Waiting.until { try !rig.admin("one", "/sites").contains("store-cache-unwritable") })
        node.signal(SIGKILL)
        _ = node.exitStatus()
        let next = try rig.node("one", url: StoreRig.nowhere, cache: cache)
        #expect(try next.fetch("example.com") == (200, StoreRig.document("c")))
        next.signal(SIGKILL)
        _ = next.exitStatus()
    }

    /// Limits the files that a process writes, and says nothing of what it may ask for.
    private func limit(_ node: RunningServer, _ bytes: String) throws {
        let outcome = try Shell.run(["prlimit", "--pid", "\(node.processIdentifier)", "--fsize=\(bytes):"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("a cache that somebody removes is made again")
    func removed() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let node = try rig.node("one")
        #expect(rig.hasCache("one"))
        try FileManager.default.removeItem(atPath: rig.cachePath("one"))
        try rig.publish("example.com", "b")
        #expect(try node.waits(for: "b", of: "example.com"))
        // What was read before is in the cache once the next is read.
        try rig.publish("example.com", "c")
        #expect(try node.waits(for: "c", of: "example.com"))
        node.signal(SIGKILL)
        _ = node.exitStatus()
        let next = try rig.node("one", url: StoreRig.nowhere)
        let (status, body) = try next.fetch("example.com")
        #expect(status == 200 && ["b", "c"].map(StoreRig.document).contains(body))
    }
}
