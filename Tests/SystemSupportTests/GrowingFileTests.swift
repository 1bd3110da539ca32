import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite("Files that grow, and that are read and written in pieces")
struct GrowingFileTests {
    @Test("pieces are added at the end, and what is after the first bytes can be cut off")
    func pieces() throws {
        let folder = try TemporaryFolder()
        try folder.write("one", to: "file")
        let file = try OpenFolder(folder.path).grow("file")
        #expect(file.size == 3)
        try file.append(Array("two".utf8))
        #expect(file.size == 6)
        try file.cut(to: 4)
        try file.append(Array("3".utf8))
        #expect(FileManager.default.contents(atPath: "\(folder.path)/file") == Data("onet3".utf8))
        #expect(throws: SystemError.self) { try OpenFolder(folder.path).grow("none") }
    }

    @Test("a file is replaced by pieces, or not at all")
    func replacing() throws {
        let folder = try TemporaryFolder()
        let open = try OpenFolder(folder.path)
        try open.replace("file", mode: 0o600) { (put) throws(SystemError) in
            for piece in [[65], [66, 67]] as [[UInt8]] { try piece.span.bytes.withUnsafeBytes(put) }
        }
        #expect(try open.read("file", limit: 10) == [65, 66, 67])
        let failure = SystemError(call: "write", number: ENOSPC)
        #expect(throws: failure) {
            try open.replace("file", mode: 0o600) { (put) throws(SystemError) in
                try [1, 2].span.bytes.withUnsafeBytes(put)
                throw failure
            }
        }
        #expect(try open.read("file", limit: 10) == [65, 66, 67])
        #expect(try open.names() == ["file"])
    }

    @Test("a file is read to its end, in pieces; what is none is not")
    func streams() throws {
        let folder = try TemporaryFolder()
        try folder.write("abcde", to: "file")
        let open = try OpenFolder(folder.path)
        let stream = try #require(try open.stream("file"))
        #expect(stream.size == 5)
        var buffer = [UInt8](repeating: 0, count: 3)
        #expect(try stream.read(into: &buffer) == 3 && Array(buffer) == Array("abc".utf8))
        #expect(try stream.read(into: &buffer) == 2 && Array(buffer.prefix(2)) == Array("de".utf8))
        #expect(try stream.read(into: &buffer) == 0)
        #expect(try open.stream("none") == nil)
        try folder.write("", to: "sub/x")
        try folder.link("link", to: "file")
        #expect(throws: SystemError.self) { try open.stream("sub") }
        #expect(throws: SystemError.self) { try open.stream("link") }
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
