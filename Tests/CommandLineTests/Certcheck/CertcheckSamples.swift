import Foundation
import PushSamples
import TestSupport
import Testing

/// The values that the tests of `certcheck` have in common.
enum CertcheckSamples {
    static let password = "test-password"

    /// Valid for a year.
    static func certificate() throws -> [UInt8] { try SampleProfile.universal.certificate().der() }

    /// A certificate that ends in so many days, of an app of its own, so that none replaces another.
    static func certificate(days: Int64) throws -> [UInt8] {
        try SampleProfile.production.certificate("com.example.app\(days)").with { $0.notAfter = SampleTime.days(days) }
            .der()
    }

    /// A PKCS #12 file with a certificate that is valid for a year, and its key.
    static func export(password: String = password) throws -> [UInt8] {
        try SamplePKCS12.export(
            SampleProfile.universal.certificate(), password: .text(password), as: .openSSL, iterations: 10
        ).der()
    }
}

extension BuiltTool {
    static func certcheck() throws -> BuiltTool { try BuiltTool("certcheck") }

    /// Runs `certcheck` at the time of the samples.
    func check(
        _ arguments: String..., environment: [String: String] = [:], input: [UInt8] = []
    ) throws -> Shell.Outcome {
        try Shell.run(
            environment.map { "\($0.key)=\($0.value)" } + ["timeout", "60", executable, "--now", SampleTime.nowText]
                + arguments, input: Data(input), in: folder.url)
    }
}

extension Shell.Outcome {
    /// The files of a JSON report, as `path status`, or `path error`.
    func files() throws -> [String] {
        try #require(try object()["files"] as? [[String: Any]]).map { file in
            "\(file["path"] as? String ?? "?") \(file["error"] as? String ?? file["status"] as? String ?? "?")"
        }
    }
}
