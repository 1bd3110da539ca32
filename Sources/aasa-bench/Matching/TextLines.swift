import ArgumentParser
import Glibc

/// Reads files of lines.
enum TextLines {
    static func read(_ path: String) throws -> [String] {
        guard let file = fopen(path, "r") else { throw ValidationError("cannot read '\(path)'") }
        defer { fclose(file) }
        var lines: [String] = []
        while let line = readLine(from: file) { lines.append(line) }
        return lines
    }

    private static func readLine(from file: UnsafeMutablePointer<FILE>) -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else { return nil }
        let bytes = UnsafeRawBufferPointer(start: line, count: count)
        return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}
