import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite(.waiting)
struct FileReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reason(_ name: String) -> String? {
        do throws(SystemError) {
            _ = try FileReader.read("\(folder.path)/\(name)", limit: 10)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "no more is read than the limit and one byte",
        arguments: [(0, 0), (1, 1), (9, 9), (10, 10), (11, 11), (12, 11), (200_000, 11)])
    func limit(size: Int, expected: Int) throws {
        let path = try folder.write(Data(repeating: 7, count: size), to: "file")
        #expect(try FileReader.read(path, limit: 10).bytes == [UInt8](repeating: 7, count: expected))
        #expect(try FileReader.readToEnd(RawPath(path), limit: 10) == [UInt8](repeating: 7, count: expected))
        #expect(try FileReader.readToEnd(RawPath(path), limit: .max - 1).count == size)
    }

    @Test("a file that does not tell its size is read to its end")
    func unknownSize() throws {
        let contents = try FileReader.read("/proc/self/maps", limit: 1 << 20)
        #expect(contents.status.stamp.size == 0)
        #expect(contents.bytes.count > 1_000)
    }

    @Test("a file that nobody writes is settled, and has the status that the system tells")
    func settled() throws {
        let path = try folder.write("text", to: "file")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let contents = try FileReader.readSettled(path, limit: 10)
        #expect(contents.isSettled)
        #expect(contents.status == FileStatus(at: path))
        #expect(contents.status.permissions == 0o640)
    }

    @Test("a file that moves is read a few times, and then taken as it is")
    func moving() throws {
        let path = try folder.write("a", to: "file")
        var reads = 0
        let contents = try FileReader.settled { () throws(SystemError) in
            reads += 1
            let contents = try FileReader.read(path, limit: 10)
            return FileReader.Contents(bytes: contents.bytes, status: contents.status, isSettled: false)
        }
        #expect(!contents.isSettled)
        #expect(reads == 5)
    }

    @Test("what is not a regular file is refused, and a pipe is not waited for")
    func kinds() throws {
        try folder.write("x", to: "folder/file")
        #expect(try Shell.run(["mkfifo", "\(folder.path)/pipe"]).status == 0)
        try folder.link("nowhere", to: "none")
        #expect(reason("folder") == "is a directory")
        #expect(reason("pipe") == "not a regular file")
        #expect(reason("nowhere") == "it is a broken link")
        #expect(reason("none") == "no such file or directory")
    }

    @Test("a pipe is read to its end where a stream is wanted")
    func stream() throws {
        let pipe = "\(folder.path)/pipe"
        #expect(try Shell.run(["mkfifo", pipe]).status == 0)
        let writer = Thread { try? Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: pipe)) }
        writer.start()
        #expect(try FileReader.readToEnd(RawPath(pipe), limit: 1 << 20).count == 100_000)
    }

    @Test("the reason of an error is a clause in lower case")
    func reasons() {
        #expect(SystemError(call: "open", number: ENOENT).description == "open: no such file or directory")
        #expect(SystemError(call: "read", number: EIO).reason == "input/output error")
        #expect(SystemError(call: "x", number: EINVAL, reason: "it is odd").reason == "it is odd")
    }
}
