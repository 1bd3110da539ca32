import Foundation
import TestSupport
import Testing

/// A built tool, run in a folder of its own.
final class BuiltTool: Sendable {
    /// A file that nothing is wrong with.
    static let sound = #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app"]}}"#
    /// An error at 1:28.
    static let faulty = #"{"webcredentials":{"apps":["com.shop.app"]}}"#
    /// A warning at 1:25.
    static let doubtful = #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"]}]}}"#

    let folder: TemporaryFolder
    /// The path of the tool.
    let executable: String

    /// - Parameter name: `aasa` or `certcheck`.
    init(_ name: String = "aasa") throws {
        executable =
            URL(fileURLWithPath: RunningServer.executable).deletingLastPathComponent()
            .appendingPathComponent(name).path
        folder = try TemporaryFolder()
        // Nothing above this folder is looked at.
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent(".git"), withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }
    func write(_ bytes: [UInt8], to name: String) throws { try folder.write(Data(bytes), to: name) }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
    }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appendingPathComponent(name).path, withDestinationPath: target)
    }

    /// Runs the tool in the folder; one that ends by a signal has the status 128 and more.
    func run(_ arguments: String..., input: String = "", in name: String = "") throws -> Shell.Outcome {
        try run(arguments, input: input, in: name)
    }

    func run(_ arguments: [String], input: String = "", in name: String = "") throws -> Shell.Outcome {
        try Shell.run(
            [executable] + arguments, input: Data(input.utf8),
            in: folder.url.appendingPathComponent(name))
    }

    /// Runs a line of the shell in the folder, in which `$tool` is the tool.
    @discardableResult
    func shell(_ line: String, environment: [String: String] = [:], input: [UInt8] = []) throws -> Shell.Outcome {
        let variables = (["tool": executable].merging(environment) { $1 }).map { "\($0.key)=\($0.value)" }
        return try Shell.run(variables + ["sh", "-c", line], input: Data(input), in: folder.url)
    }
}

extension Shell.Outcome {
    /// The first lines of findings, `PATH:LINE:COLUMN: severity [code]`, without the messages; taken apart as a tool would.
    var findings: [String] {
        text.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /(.+?):(\d+):(\d+): (error|warning): (.*) \[([a-z0-9-]+)\]/) else {
                return nil
            }
            let (_, path, row, column, severity, _, code) = match.output
            return "\(path):\(row):\(column): \(severity) [\(code)]"
        }
    }

    var lastLine: String { text.split(separator: "\n").last.map(String.init) ?? "" }

    /// Standard output as a JSON object.
    func object() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: output) as? [String: Any])
    }
}
