import Foundation

/// libfaketime, where it is installed: a program's wall clock is set by a file, and its other clocks are left alone.
public enum FakeTime {
    /// It and a sanitizer wait for each other when a program begins.
    public static let isUsable = library != nil && !Patience.isSanitizing

    /// The library for programs with threads; its folder has the name of the machine's kind.
    private static let library: String? = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// Runs the command behind it.
    ///
    /// - Parameter clock: the path of a file with the distance from now, such as `+1d`; it is read each time.
    public static func launcher(clock: String) throws -> [String] {
        guard let library else { throw TestFailure("libfaketime is not installed") }
        // The second `env` is loaded with the library, which adds to the environment when it begins. Done in a Swift
        // program, that would move the environment away from the arguments, which are found by it.
        return [
            "env", "LD_PRELOAD=\(library)", "FAKETIME_TIMESTAMP_FILE=\(clock)", "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1", "env",
        ]
    }
}
