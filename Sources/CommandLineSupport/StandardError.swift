internal import Glibc

/// Where everything goes that is not a result.
public enum StandardError {
    public static func write(_ line: String) {
        _ = Array("\(line)\n".utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
