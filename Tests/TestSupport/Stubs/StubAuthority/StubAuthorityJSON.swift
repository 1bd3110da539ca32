internal import Foundation

/// JSON objects as the authority reads and writes them.
enum StubAuthorityJSON {
    /// Nil for anything but an object.
    static func object(_ bytes: [UInt8]) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
    }

    static func bytes(_ object: [String: Any]) -> [UInt8] {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: object, options: options)).map { Array($0) } ?? []
    }
}
