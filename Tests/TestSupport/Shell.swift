public import Foundation

/// Runs programs and waits for them.
public enum Shell {
    public struct Outcome: Sendable {
        public let status: Int32
        public let output: Data
        public let errors: String

        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a program that is on PATH, or the one at a path with a slash.
    ///
    /// - Parameter input: what it reads on standard input.
    @discardableResult
    public static func run(_ arguments: [String], input: Data = Data(), in folder: URL? = nil) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        // All three at once: a full pipe would stop the program.
        let errors = Collector(stderr.fileHandleForReading)
        let writer = Thread {
            stdin.fileHandleForWriting.writeAll(input)
            try? stdin.fileHandleForWriting.close()
        }
        writer.start()
        let output = stdout.fileHandleForReading.allData()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: output, errors: errors.text())
    }
}

/// Reads a pipe to its end, aside.
private final class Collector: @unchecked Sendable {
    private var data = Data()
    private let done = DispatchSemaphore(value: 0)

    init(_ handle: FileHandle) {
        Thread { [self] in
            data = handle.allData()
            done.signal()
        }.start()
    }

    func text() -> String {
        done.wait()
        return String(decoding: data, as: UTF8.self)
    }
}
