import Foundation

/// How long tests wait for what should happen at once, before they say that it did not.
public enum Patience {
    /// With a sanitizer everything takes several times as long: `make sanitize` says so.
    public static let factor = ProcessInfo.processInfo.environment["AASA_TEST_PATIENCE"].flatMap(Int.init) ?? 1

    public static func seconds(_ count: Int) -> Int { count * factor }

    /// The beginning of a command line that ends the rest of it after so many seconds, with 124.
    public static func timeout(_ seconds: Int) -> [String] { ["timeout", "\(self.seconds(seconds))"] }

    /// Whether the programs are built with a sanitizer, which judges a process when it ends by itself.
    public static let isSanitizing = ProcessInfo.processInfo.environment["AASA_TEST_SANITIZER"] != nil

    /// Whether a limit of the size of files leaves programs alone that write none: ThreadSanitizer's memory is under it,
    /// too.
    public static let allowsFileLimits = ProcessInfo.processInfo.environment["AASA_TEST_SANITIZER"] != "thread"
}
