internal import BoundedText
package import Diagnostics
package import OpenSSL
package import SystemSupport

/// The file that `storeKeyFile` names: a key in each line, `ID HEX`, and comments after a `#` (store.md, section 4).
package struct StoreKeyFile: Sendable {
    package let keys: StoreKeyRing
    /// A warning if everybody can read the file.
    package let warnings: [LocatedDiagnostic]

    /// In bytes.
    package static let largest = 1 << 16
    private static let longestID = 32

    package init(_ path: String) throws(StoreKeyFileError) {
        let status: FileStatus
        var bytes: [UInt8]
        do throws(SystemError) {
            let contents = try FileReader.readSettled(path, limit: Self.largest)
            (bytes, status) = (contents.bytes, contents.status)
        } catch {
            throw StoreKeyFileError(path, "the key file cannot be read: \(error.reason)")
        }
        defer { SecretBytes.wipe(&bytes) }
        keys = try Self.parse(bytes, path: path)
        let isReadable = status.permissions & 0o004 != 0
        warnings =
            isReadable
            ? [
                .warning(
                    path, "everybody on this machine can read the keys of the store", help: "run 'chmod o-r \(path)'")
            ] : []
    }

    /// Reads the text of a key file.
    ///
    /// - Parameter path: for messages, which never have anything of a line in them.
    package static func parse(_ bytes: [UInt8], path: String) throws(StoreKeyFileError) -> StoreKeyRing {
        guard bytes.count <= largest else {
            throw StoreKeyFileError(path, "the key file is larger than \(grouped(largest)) bytes")
        }
        var keys: [StoreKeyRing.Key] = []
        var lines: [String: Int] = [:]
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let words = words(line)
            guard let id = words.first else { continue }
            guard words.count == 2 else {
                throw StoreKeyFileError(
                    path, line: number, "expected a name and a key, found \(counted(words.count, "word"))")
            }
            guard isID(id) else {
                throw StoreKeyFileError(
                    path, line: number,
                    "the name of the key is not 1 to \(longestID) lowercase letters, digits and hyphens")
            }
            guard let secret = secret(words[1]) else {
                let digits = 2 * AuthenticatedCipher.keyCount
                let found = words[1].count == digits ? "other characters" : counted(words[1].count, "character")
                throw StoreKeyFileError(
                    path, line: number, "expected \(digits) hexadecimal digits after the name, found \(found)")
            }
            let name = String(text: id)
            if let earlier = lines.updateValue(number, forKey: name) {
                throw StoreKeyFileError(path, line: number, "the key has the same name as that of line \(earlier)")
            }
            keys.append(StoreKeyRing.Key(id: name, secret: secret))
        }
        guard !keys.isEmpty else { throw StoreKeyFileError(path, "the key file has no key") }
        return StoreKeyRing(keys)
    }

    /// A new line for a key file, with its line feed.
    ///
    /// - Parameters:
    ///   - date: the day in UTC, which is in the name of the key.
    ///   - names: of keys that are there; the new one has another.
    package static func newLine(date: CivilDate, besides names: [String] = []) throws(OpenSSLError) -> SecretBytes {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let base = "k\(padded(date.year, 4))\(padded(date.month, 2))\(padded(date.day, 2))"
        var name = base
        var number = 2
        while names.contains(name) {
            name = "\(base)-\(number)"
            number += 1
        }
        var secret = try SecureRandom.bytes(AuthenticatedCipher.keyCount)
        defer { SecretBytes.wipe(&secret) }
        let digits = Array("0123456789abcdef".utf8)
        var line = [UInt8](repeating: UInt8(ascii: " "), count: name.utf8.count + 1)
        line.replaceSubrange(..<name.utf8.count, with: name.utf8)
        // All at once: an array that grows leaves copies behind.
        line.reserveCapacity(line.count + 2 * secret.count + 1)
        for byte in secret {
            line.append(digits[Int(byte >> 4)])
            line.append(digits[Int(byte & 15)])
        }
        line.append(UInt8(ascii: "\n"))
        return SecretBytes(taking: &line)
    }

    /// The words of a line before a `#`, which are parts of it and no copies.
    private static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        line.prefix { $0 != UInt8(ascii: "#") }.split { byte in
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
        }
    }

    private static func isID(_ word: ArraySlice<UInt8>) -> Bool {
        (1...longestID).contains(word.count)
            && word.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func secret(_ word: ArraySlice<UInt8>) -> SecretBytes? {
        guard word.count == 2 * AuthenticatedCipher.keyCount else { return nil }
        return SecretBytes(capacity: AuthenticatedCipher.keyCount) { buffer in
            var index = word.startIndex
            for offset in 0..<AuthenticatedCipher.keyCount {
                guard let high = Hexadecimal.value(word[index]), let low = Hexadecimal.value(word[index + 1]) else {
                    return nil
                }
                buffer[offset] = high << 4 | low
                index += 2
            }
            return AuthenticatedCipher.keyCount
        }
    }
}

/// Why a key file cannot be used. Nothing of a line is in it.
package struct StoreKeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    /// Counted from 1; nil if it is about the file as a whole.
    package let line: Int?
    package let message: String

    package static let help = "write one key a line, as 'aasa store key' prints it"

    init(_ path: String, line: Int? = nil, _ message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    package var description: String {
        "\(path)\(line.map { ":\($0)" } ?? ""): \(message); help: \(Self.help)"
    }
}
