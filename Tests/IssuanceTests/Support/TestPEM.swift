import Foundation
import TestSupport

enum TestPEM {
    /// The first certificate of a chain, in DER.
    static func leaf(_ text: String) throws -> [UInt8] {
        let lines = text.split(separator: "\n").dropFirst().prefix { !$0.hasPrefix("-") }
        guard let data = Data(base64Encoded: lines.joined()) else { throw TestFailure("no certificate: \(text)") }
        return Array(data)
    }
}
