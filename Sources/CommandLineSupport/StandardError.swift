internal import Diagnostics
internal import Glibc

/// Where everything goes that is not a result.
public enum StandardError {
    /// Writes a line, in one call, so that lines of several threads do not mix. Control characters are escaped.
    public static func write(_ line: String) {
        writeShown(VisibleText.escaped(line))
    }

    /// Writes lines that are safe to be shown, colours and all.
    public static func writeShown(_ text: String) {
        _ = Array("\(text)\n".utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
