package import OpenSSL

/// The keys of `storeKeyFile`: the first encrypts, all decrypt (store.md, section 4).
package struct StoreKeyRing: Sendable {
    /// A key of AES-256.
    package struct Key: Sendable {
        /// 1 to 32 characters of `a–z 0–9 -`.
        package let id: String
        /// 32 bytes.
        package let secret: SecretBytes

        package init(id: String, secret: SecretBytes) {
            self.id = id
            self.secret = secret
        }
    }

    /// A secret as a row has it.
    package struct Sealed: Equatable, Sendable {
        /// The name of the key that it is encrypted with.
        package let keyID: String
        /// The nonce, the ciphertext and the tag.
        package let bytes: [UInt8]

        package init(keyID: String, bytes: [UInt8]) {
            self.keyID = keyID
            self.bytes = bytes
        }
    }

    package let keys: [Key]

    /// - Parameter keys: at least one.
    package init(_ keys: [Key]) { self.keys = keys }

    /// The largest secret that is sealed, in bytes: private keys have a few thousand.
    package static let largestSecret = 1 << 20

    /// Whether a key of this name is there.
    package func has(_ keyID: String) -> Bool { keys.contains { $0.id == keyID } }

    /// Encrypts a secret for one row, in which alone it can be opened.
    ///
    /// - Parameters:
    ///   - table: without its schema, such as `certificates`.
    ///   - primaryKey: of the row; bytes in lowercase hexadecimal digits.
    package func seal(
        _ plain: SecretBytes, table: String, primaryKey: String
    ) throws(StoreKeyError) -> Sealed {
        guard let key = keys.first, plain.count <= Self.largestSecret else { throw .cannotSeal }
        do throws(OpenSSLError) {
            let bytes = try AuthenticatedCipher.seal(
                plain, key: key.secret, additional: Self.additional(table, primaryKey))
            return Sealed(keyID: key.id, bytes: bytes)
        } catch {
            throw .cannotSeal
        }
    }

    /// Decrypts the secret of a row.
    package func open(
        _ sealed: [UInt8], keyID: String, table: String, primaryKey: String
    ) throws(StoreKeyError) -> SecretBytes {
        guard let key = keys.first(where: { $0.id == keyID }) else { throw .missing(keyID: keyID) }
        let additional = Self.additional(table, primaryKey)
        guard let plain = AuthenticatedCipher.open(sealed, key: key.secret, additional: additional) else {
            throw .wrong(keyID: keyID)
        }
        return plain
    }

    /// The row that a secret belongs to. No table has a colon in its name.
    private static func additional(_ table: String, _ primaryKey: String) -> [UInt8] {
        Array("aasa:\(table):\(primaryKey)".utf8)
    }
}

/// Why a secret of a store cannot be decrypted, or encrypted.
package enum StoreKeyError: Error, Equatable, Sendable {
    /// The key file has no key of this name.
    case missing(keyID: String)
    /// The key of this name is another one, or the row was changed.
    case wrong(keyID: String)
    /// There is no key, the secret is larger than any, or the system gives no randomness.
    case cannotSeal
}
