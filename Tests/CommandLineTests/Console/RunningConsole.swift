import Foundation
import Glibc
import TestSupport

/// The built `aasa console`, until it is forgotten.
final class RunningConsole: @unchecked Sendable {
    let url: String
    let port: Int
    /// The path that all others are below, with its slashes.
    let base: String
    private let process = Process()
    private let errors = Pipe()
    private let rest: Pipe

    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: RunningServer.executable)
        process.arguments = ["console"] + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        rest = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = rest
        process.standardError = errors
        try process.run()
        var text = ""
        while !text.hasSuffix("\n") {
            let data = rest.fileHandleForReading.nextData()
            guard !data.isEmpty else {
                throw TestFailure(
                    "aasa console: \(String(decoding: errors.fileHandleForReading.allData(), as: UTF8.self))")
            }
            text += String(decoding: data, as: UTF8.self)
        }
        url = text.trimmingCharacters(in: .newlines)
        guard let parts = URLComponents(string: url), let port = parts.port, parts.path.hasSuffix("/console/") else {
            throw TestFailure("aasa console printed \(text)")
        }
        self.port = port
        base = String(parts.path.dropLast("console/".count))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Ends it by a signal.
    ///
    /// - Returns: its status, what else was on standard output, and standard error.
    func end(_ signal: Int32) -> (status: Int32, output: String, errors: String) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return (
            process.terminationReason == .exit ? process.terminationStatus : -1,
            String(decoding: rest.fileHandleForReading.allData(), as: UTF8.self),
            String(decoding: errors.fileHandleForReading.allData(), as: UTF8.self)
        )
    }

    func waitForError(_ text: String) -> Bool {
        var found = ""
        while !found.contains(text) {
            let data = errors.fileHandleForReading.nextData()
            if data.isEmpty { return false }
            found += String(decoding: data, as: UTF8.self)
        }
        return true
    }

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
