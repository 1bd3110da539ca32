internal import Glibc

/// Where everything goes that is not a result.
public enum StandardError {
    /// Writes a line, in one call, so that lines of several threads do not mix.
    ///
    /// Control characters are escaped: a name from outside can neither write a line of its own nor talk to the terminal.
    public static func write(_ line: String) {
        _ = Array("\(escaped(line))\n".utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                result += "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
