internal import Foundation
package import PushSamples

/// A TLS server of OpenSSL's command, for what ours does not do: old versions, no word about application protocols.
package final class OpenSSLServer {
    package let port: Int
    private let process = Process()
    private let folder: TemporaryFolder

    /// - Parameter arguments: of `openssl s_server`, beside address, certificate and key.
    package init(_ leaf: SampleCertificate, arguments: [String] = []) throws {
        folder = try TemporaryFolder()
        let certificate = try folder.write(try leaf.pem(), to: "certificate.pem")
        let key = try folder.write(try leaf.key.pem(), to: "key.pem")
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key] + arguments
        process.standardInput = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("\n") || !text.contains("ACCEPT") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw TestFailure("openssl s_server: \(text)") }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let port = text.matches(of: /ACCEPT [^\n]*:(\d+)/).first.flatMap({ Int($0.1) }) else {
            throw TestFailure("openssl s_server: \(text)")
        }
        self.port = port
    }

    deinit {
        // It inherits the signals that our threads block, so that it is not asked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
