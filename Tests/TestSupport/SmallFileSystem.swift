internal import Foundation
internal import Glibc

/// A small file system of its own, which can be full.
public final class SmallFileSystem {
    public let path: String

    /// - Parameter kilobytes: what fits, rounded up to whole pages.
    public init(in folder: TemporaryFolder, kilobytes: Int) throws {
        path = "\(folder.path)/small"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let outcome = try Shell.run(["mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
    }

    deinit { _ = try? Shell.run(["umount", path]) }

    /// Whether this process may mount anything.
    public static let isAvailable: Bool = {
        guard getuid() == 0, let folder = try? TemporaryFolder() else { return false }
        return (try? SmallFileSystem(in: folder, kilobytes: 64)) != nil
    }()

    /// Takes up all that is left.
    public func fill() throws {
        _ = FileManager.default.createFile(atPath: "\(path)/fill", contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/fill"))
        defer { try? handle.close() }
        let block = Data(count: 1_024)
        do {
            for _ in 0..<10_000 { try handle.write(contentsOf: block) }
        } catch {
            return
        }
        throw TestFailure("the file system is larger than expected")
    }

    public func free() throws { try FileManager.default.removeItem(atPath: "\(path)/fill") }
}
