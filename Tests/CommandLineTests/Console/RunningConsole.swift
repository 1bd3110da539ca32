import Foundation
import Glibc
import TestSupport

/// The built `aasa console`, until it is forgotten.
final class RunningConsole: @unchecked Sendable {
    let url: String
    /// The query of the URL, without its question mark.
    let query: String?
    let port: Int
    /// The path that all others are below, with its slashes.
    let base: String
    private let process = Process()
    private let output: LineReader
    private let errors: LineReader

    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: RunningServer.executable)
        process.arguments = ["console"] + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipes = (output: Pipe(), errors: Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipes.output
        process.standardError = pipes.errors
        try process.run()
        Orphans.add(process.processIdentifier)
        output = LineReader(pipes.output.fileHandleForReading)
        errors = LineReader(pipes.errors.fileHandleForReading)
        url = output.wait { _ in true } ?? ""
        guard let parts = URLComponents(string: url), let port = parts.port, let end = parts.path.range(of: "/console/")
        else {
            kill(process.processIdentifier, SIGKILL)
            Orphans.remove(process.processIdentifier)
            throw TestFailure("aasa console printed '\(url)' and \(errors.text)")
        }
        self.port = port
        query = parts.percentEncodedQuery
        base = String(parts.path[..<end.lowerBound]) + "/"
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        Orphans.remove(process.processIdentifier)
    }

    /// Ends it by a signal.
    ///
    /// - Returns: its status, what else was on standard output, and standard error.
    func end(_ signal: Int32) -> (status: Int32, output: String, errors: String) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return (
            process.terminationReason == .exit ? process.terminationStatus : -1,
            String(output.wholeText.dropFirst(url.utf8.count + 1)), errors.wholeText
        )
    }

    func waitForError(_ text: String) -> Bool { errors.wait { $0.contains(text) } != nil }

    /// Sends a request below the base, and returns the answer.
    func ask(
        _ method: String, _ path: String, _ fields: [String] = [], body: String? = nil, host: String? = nil
    ) throws -> HTTPAnswer {
        try ask(
            raw: "\(method) \(base)\(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n"
                + fields.map { "\($0)\r\n" }.joined()
                + (body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)" }
                    ?? "\r\n"),
            isHead: method == "HEAD")
    }

    func ask(raw: String, isHead: Bool = false) throws -> HTTPAnswer {
        let socket = try RawSocket(port: port)
        socket.send(raw)
        let bytes = socket.receiveAll().bytes
        guard let (answer, _) = HTTPAnswer.read(bytes, isHead: isHead) else {
            throw TestFailure("no answer: \(String(decoding: bytes, as: UTF8.self))")
        }
        return answer
    }

    func post(_ endpoint: String, _ object: Any) throws -> (status: Int, text: String) {
        let body = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        let answer = try ask("POST", "api/v1/\(endpoint)", body: body)
        return (answer.status, answer.text)
    }
}
