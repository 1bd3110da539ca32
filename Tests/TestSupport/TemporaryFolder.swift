public import Foundation

/// A folder that is gone when the last one forgets it.
public final class TemporaryFolder: Sendable {
    public let url: URL
    public var path: String { url.path }

    /// Where all of them are: in memory, if `.ci/test` has found room there.
    private static let parent =
        ProcessInfo.processInfo.environment["AASA_TEST_FOLDER"].map { URL(fileURLWithPath: $0) }
        ?? FileManager.default.temporaryDirectory

    public init() throws {
        url = Self.parent.appendingPathComponent("aasa-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file, with the folders on the way to it.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file.path
    }

    /// Writes a program, with the folders on the way to it.
    ///
    /// Another process writes it: while this one had it open for that, a child that another test starts in this moment would
    /// have it open, too, and the system runs no program that is open for writing ("text file busy").
    @discardableResult
    public func writeProgram(_ text: String, to name: String) throws -> String {
        let path = url.appendingPathComponent(name).path
        let script = #"mkdir -p "${1%/*}" && rm -f "$1" && cat >"$1" && chmod 755 "$1""#
        let outcome = try Shell.run(["/bin/sh", "-c", script, "sh", path], input: Data(text.utf8))
        guard outcome.status == 0 else { throw TestFailure("cannot write \(path): \(outcome.errors)") }
        return path
    }

    /// Makes a symbolic link.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }
}
