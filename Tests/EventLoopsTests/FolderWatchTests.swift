import Dispatch
import EventLoops
import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite("Watching folders")
struct FolderWatchTests {
    private let queue = DispatchQueue(label: "test")
    /// Goes with the test.
    private let place: TemporaryFolder
    private var folder: URL { place.url }
    private let watch: FolderWatch
    private let changes = Changes()

    init() throws {
        place = try TemporaryFolder()
        watch = try FolderWatch(queue: queue) { [changes] in changes.add($0) }
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    private func write(_ name: String) throws { try Data("x".utf8).write(to: URL(fileURLWithPath: path(name))) }

    private func move(_ name: String, to other: String) { rename(path(name), path(other)) }

    private func watched(_ name: String, _ names: Set<String>? = nil, hasFiles: Bool = false) throws -> WatchedFolder {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
        let number = try #require(attributes[.systemFileNumber] as? UInt64)
        return WatchedFolder(
            path: path(name), inode: Inode(device: 0, number: number), names: names, hasFiles: hasFiles)
    }

    /// Watches from now on, and forgets what was told before.
    @discardableResult
    private func begin(_ folders: WatchedFolder...) -> FolderWatch.Coverage {
        let coverage = queue.sync { watch.watch(folders, essential: folders.count) }
        settle()
        changes.clear()
        return coverage
    }

    /// Returns when all that has happened so far was told: events come in order, and so do the queue's blocks.
    private func settle() {
        // Reading the events is one block of the queue, which the source adds soon.
        for _ in 0..<20 {
            queue.sync {}
            usleep(1_000)
        }
    }

    @Test("what is announced otherwise is told as that, unless something else has changed, too")
    func announced() throws {
        try makeFolder("a")
        try makeFolder("b")
        var announced = try watched("a", hasFiles: true)
        announced.isAnnounced = true
        begin(announced, try watched("b"))
        try write("a/1")
        #expect(changes.wait { $0.isAnnounced })
        settle()
        #expect(!changes.contains { !$0.isAnnounced })
        changes.clear()
        try queue.sync {
            try write("a/2")
            try write("b/1")
            try write("a/3")
        }
        #expect(changes.wait { !$0.isAnnounced })
    }

    @Test("a change names what it is about, unless it may be about anything")
    func subjects() throws {
        try makeFolder("sites/a")
        try makeFolder("data")
        try makeFolder("shared")
        var folders = [try watched("sites"), try watched("sites/a", ["x"]), try watched("data"), try watched("shared")]
        let subjects: [WatchedFolder.Subjects] = [.entries, .one("A"), .one("A"), .several]
        for index in folders.indices { folders[index].subjects = subjects[index] }
        _ = queue.sync { watch.watch(folders, essential: folders.count) }
        func told(_ step: () throws -> Void) throws -> Set<String>? {
            settle()
            changes.clear()
            // All of it is read at once.
            try queue.sync { try step() }
            #expect(changes.wait())
            return changes.subjects
        }
        #expect(try told { try write("sites/a/x") } == ["A"])
        #expect(try told { try write("data/y") } == ["A"])
        #expect(try told { try makeFolder("sites/b") } == [path("sites/b")])
        let both = try told {
            try write("data/z")
            try makeFolder("sites/c")
        }
        #expect(both == ["A", path("sites/c")])
        let any = try told {
            try write("data/z")
            try write("shared/z")
        }
        #expect(any == nil)
        #expect(try told { for name in 0..<1_001 { try write("sites/\(name)") } } == nil)
    }

    @Test("folders are watched besides others, and what is of interest in one is added to what was before")
    func besides() throws {
        for name in ["a", "b"] { try makeFolder(name) }
        var first = try watched("a", ["1"])
        first.subjects = .one("A")
        begin(first)
        var second = try watched("a", ["2"], hasFiles: true)
        second.subjects = .one("B")
        var third = try watched("b")
        third.subjects = .one("C")
        #expect(queue.sync { watch.watch(besides: [second, third]) }.isLarger)
        #expect(!queue.sync { watch.watch(besides: [second, third]) }.isLarger)
        for (name, subjects) in [("a/1", nil), ("a/2", nil), ("b/1", ["C"])] as [(String, Set<String>?)] {
            settle()
            changes.clear()
            try queue.sync { try write(name) }
            #expect(changes.wait())
            #expect(changes.subjects == subjects)
        }
        unlink(path("b/1"))
        rmdir(path("b"))
        settle()
        try makeFolder("b")
        third = try watched("b")
        #expect(queue.sync { watch.watch(besides: [third]) }.isLarger)
    }

    @Test("what comes, goes, is replaced or written is told")
    func changesOfFiles() throws {
        try write("a")
        begin(try watched("", hasFiles: true))
        let steps: [() throws -> Void] = [
            { try write("b") }, { try Data("y".utf8).write(to: URL(fileURLWithPath: path("a"))) },
            { move("a", to: "b") }, { unlink(path("b")) }, { try makeFolder("c") }, { rmdir(path("c")) },
            { symlink("x", path("d")) },
        ]
        for (number, step) in steps.enumerated() {
            changes.clear()
            try step()
            #expect(changes.wait(), "step \(number)")
        }
    }

    @Test("only names of interest count, and writing only where files are")
    func names() throws {
        try write("a")
        try write("b")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path("a")))
        begin(try watched("", ["a", "c"]))
        try write("d")
        unlink(path("d"))
        try file.write(contentsOf: Data("more".utf8))
        try file.close()
        try write("b")
        // In order, so the others were not told.
        settle()
        #expect(changes.isEmpty)
        try write("c")
        #expect(changes.wait())
        begin(try watched("", ["a"], hasFiles: true))
        try Data("y".utf8).write(to: URL(fileURLWithPath: path("a")))
        #expect(changes.wait())
    }

    @Test("a folder that is renamed away and comes anew is told by the one above, and then by itself")
    func replaced() throws {
        try makeFolder("sites")
        try makeFolder("next")
        let all = [try watched("", ["sites"]), try watched("sites")]
        _ = queue.sync { watch.watch(all, essential: 2) }
        move("sites", to: "old")
        move("next", to: "sites")
        #expect(changes.wait())
        let coverage = begin(try watched("", ["sites"]), try watched("sites"))
        #expect(coverage.isLarger)
        try write("sites/x")
        #expect(changes.wait())
        settle()
        changes.clear()
        try write("old/x")
        settle()
        #expect(changes.isEmpty)
    }

    @Test("a folder that is gone and comes back with the same path is watched again")
    func vanished() throws {
        try makeFolder("a")
        begin(try watched("", ["a"]), try watched("a"))
        rmdir(path("a"))
        #expect(changes.wait())
        begin(try watched("", ["a"]))
        try makeFolder("a")
        #expect(changes.wait())
        #expect(begin(try watched("", ["a"]), try watched("a")).isLarger)
        try write("a/x")
        #expect(changes.wait())
    }

    @Test("only what is new makes the watched larger, and what is missing is left out")
    func coverage() throws {
        try makeFolder("a")
        #expect(begin(try watched("", ["a"])).isLarger)
        #expect(!begin(try watched("", ["a"])).isLarger)
        #expect(!begin(try watched("", ["a", "b"])).isLarger)
        #expect(begin(try watched("", ["a"], hasFiles: true), try watched("a")).isLarger)
        let missing = WatchedFolder(path: path("nowhere"), inode: Inode(device: 0, number: 0))
        let coverage = begin(try watched("", ["a"]), missing)
        #expect(!coverage.isLarger && coverage.limit == nil)
    }

    @Test("more than the system keeps is told as everything")
    func overflow() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let most = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        begin(try watched(""))
        queue.sync {
            // Two events each, of which none is equal to the one before it: those would be one.
            var (old, new) = (path("a"), path("b"))
            symlink("x", old)
            for _ in 0...most / 2 {
                rename(old, new)
                swap(&old, &new)
            }
        }
        #expect(changes.wait { $0.isOverflow && $0.subjects == nil })
    }

    @Test("what is forgotten says nothing any more")
    func forgotten() throws {
        var other: FolderWatch? = try FolderWatch(queue: queue) { [changes] in changes.add($0) }
        let all = [try watched("")]
        _ = queue.sync { other?.watch(all, essential: 1) }
        other = nil
        try write("a")
        settle()
        #expect(changes.isEmpty)
    }
}

/// The changes that were told so far.
private final class Changes: @unchecked Sendable {
    private let condition = NSCondition()
    private var all: [FolderWatch.Change] = []

    func add(_ change: FolderWatch.Change) {
        condition.lock()
        all.append(change)
        condition.broadcast()
        condition.unlock()
    }

    func clear() {
        condition.lock()
        all = []
        condition.unlock()
    }

    func contains(_ isWanted: (FolderWatch.Change) -> Bool) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return all.contains(where: isWanted)
    }

    /// The subjects of all of them.
    var subjects: Set<String>? {
        condition.lock()
        defer { condition.unlock() }
        return all.reduce(into: FolderWatch.Change()) { $0.add($1.subjects) }.subjects
    }

    var isEmpty: Bool {
        condition.lock()
        defer { condition.unlock() }
        return all.isEmpty
    }

    /// Waits for one.
    func wait(for isWanted: (FolderWatch.Change) -> Bool = { _ in true }) -> Bool {
        let limit = Date(timeIntervalSinceNow: Double(Patience.seconds))
        condition.lock()
        defer { condition.unlock() }
        while !all.contains(where: isWanted) {
            guard condition.wait(until: limit) else { return false }
        }
        return true
    }
}
