internal import OpenSSL

extension SampleKey {
    /// PKCS #8 `EncryptedPrivateKeyInfo`.
    public func encryptedPKCS8(_ encryption: SampleEncryption) throws -> [UInt8] {
        let (algorithm, text) = try encryption.encrypt(pkcs8())
        return DER.sequence(algorithm, DER.octets(text))
    }

    /// `ENCRYPTED PRIVATE KEY`.
    public func encryptedPEM(_ encryption: SampleEncryption) throws -> String {
        SamplePEM.block("ENCRYPTED PRIVATE KEY", try encryptedPKCS8(encryption))
    }

    /// `RSA PRIVATE KEY` or `EC PRIVATE KEY` with `Proc-Type: 4,ENCRYPTED` (RFC 1421), in AES-128.
    public func traditionalPEM(password: SamplePassword) throws -> String {
        let context = try SampleContext.shared()
        let vector = Array(UInt8(0x20)..<0x30)
        // One round over the password and the first half of the vector is all that there is to it.
        let key = KeyDerivation(.pbkdf1(digest: "MD5"), salt: Array(vector.prefix(8)), iterations: 1).key(
            password.utf8, count: 16, in: context)
        guard let key,
            let text = SymmetricCipher.encrypt(
                try traditional(), cipher: "AES-128-CBC", key: key, vector: SecretBytes(vector), in: context)
        else { throw SampleError("there is no encryption of PEM") }
        let digits = Array("0123456789ABCDEF")
        let hexadecimal = String(vector.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
        return SamplePEM.block(
            traditionalLabel, text, headers: ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,\(hexadecimal)"])
    }
}
