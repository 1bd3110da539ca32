import Foundation
import SystemSupport
import TestSupport
import Testing

struct OpenFolderTests {
    @Test("bytes that do not fit are an error")
    func full() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let error = #expect(throws: SystemError.self) { try FileWriter.write([1, 2, 3], to: descriptor) }
        #expect(error?.number == ENOSPC)
    }

    @Test("a folder is the same one wherever its path leads by now")
    func renamed() throws {
        let folder = try TemporaryFolder()
        let open = try OpenFolder(making: "\(folder.path)/a/b", mode: 0o750)
        #expect(FileStatus(at: "\(folder.path)/a")?.permissions == 0o750)
        try FileManager.default.moveItem(atPath: "\(folder.path)/a", toPath: "\(folder.path)/c")
        try open.replace("file", with: [65], mode: 0o640)
        #expect(FileManager.default.contents(atPath: "\(folder.path)/c/b/file") == Data([65]))
        #expect(FileStatus(at: "\(folder.path)/c/b/file")?.permissions == 0o640)
        #expect(try open.names() == ["file"])
        #expect(try open.names() == ["file"])
        #expect(try open.read("file", limit: 10) == [65])
    }

    @Test("links are not followed, neither to look nor to write nor to remove")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.write("kept", to: "other/file")
        try folder.link("folder", to: "other")
        try folder.link("file", to: "other/file")
        let open = try OpenFolder(folder.path)
        #expect(try open.kind(of: "folder") == .link)
        #expect(try open.kind(of: "nothing") == nil)
        #expect(open.target(ofLink: "folder") == "other" && open.target(ofLink: "other") == nil)
        #expect(throws: SystemError.self) { try open.folder("folder") }
        #expect(throws: SystemError.self) { try open.write([1], to: "file", mode: 0o600) }
        try open.replace("file", with: [66], mode: 0o600)
        open.remove("folder")
        #expect(try open.kind(of: "folder") == nil && open.kind(of: "file") == .regular)
        #expect(FileManager.default.contents(atPath: "\(folder.path)/other/file") == Data("kept".utf8))
        open.remove("other")
        #expect(try open.names() == ["file"])
    }

    @Test("adding does not replace, and neither of the two leaves anything behind")
    func adding() throws {
        let folder = try TemporaryFolder()
        let open = try OpenFolder(folder.path)
        try open.add("file", with: [1], mode: 0o600)
        let error = #expect(throws: SystemError.self) { try open.add("file", with: [2], mode: 0o600) }
        #expect(error?.number == EEXIST)
        #expect(try open.read("file", limit: 10) == [1])
        try folder.write("", to: "taken/x")
        #expect(throws: SystemError.self) { try open.replace("taken", with: [1], mode: 0o600) }
        #expect(try open.names().sorted() == ["file", "taken"])
        try open.link("file", to: "elsewhere")
        #expect(open.target(ofLink: "file") == "elsewhere")
    }

    @Test("a folder is no longer at its path when another one is there")
    func places() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a"
        let open = try OpenFolder(making: path, mode: 0o700)
        #expect(open.isAt(path))
        try FileManager.default.removeItem(atPath: path)
        #expect(!open.isAt(path))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(!open.isAt(path))
    }
}
