internal import COpenSSL

/// A leaf certificate with its chain and its private key, for a server to present.
///
/// It never changes after it was made, so all threads may use it.
package final class ServerCertificate: @unchecked Sendable {
    package enum KeyType: String, Sendable, Comparable {
        case ecdsa = "ECDSA"
        case rsa = "RSA"
        case other = "other"

        /// The preferred one first.
        package static func < (left: KeyType, right: KeyType) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .ecdsa: 0
            case .other: 1
            case .rsa: 2
            }
        }
    }

    let leaf: OpaquePointer
    let chain: [OpaquePointer]
    let key: OpaquePointer

    /// The DNS names and IPv4 addresses of the subject alternative name, lower case. The common name is never looked at.
    package let names: [String]
    package let keyType: KeyType
    /// The size of the key in bits.
    package let keyBits: Int
    /// Seconds since 1970.
    package let notBefore: Int64
    /// Seconds since 1970.
    package let notAfter: Int64

    /// Reads a chain, leaf first, and the key that belongs to the leaf, both in PEM form.
    package init(chain chainText: [UInt8], key keyText: [UInt8]) throws(OpenSSLError) {
        let certificates = try PEMReader.certificates(chainText)
        let key: OpaquePointer
        do throws(OpenSSLError) {
            guard !certificates.isEmpty else {
                throw OpenSSLError(.noCertificate, "it holds no certificate in PEM form")
            }
            key = try PEMReader.privateKey(keyText)
        } catch {
            certificates.forEach(X509_free)
            throw error
        }
        leaf = certificates[0]
        chain = Array(certificates.dropFirst())
        self.key = key
        names = Self.names(of: leaf)
        keyType = Self.keyType(of: key)
        keyBits = Int(EVP_PKEY_get_bits(key))
        notBefore = ASN1Value.seconds(X509_get0_notBefore(leaf)) ?? 0
        notAfter = ASN1Value.seconds(X509_get0_notAfter(leaf)) ?? 0
        try check()
    }

    deinit {
        X509_free(leaf)
        chain.forEach(X509_free)
        EVP_PKEY_free(key)
    }

    private func check() throws(OpenSSLError) {
        ErrorQueue.clear()
        guard X509_check_private_key(leaf, key) == 1 else {
            ERR_clear_error()
            throw OpenSSLError(.keyMismatch, "the private key does not belong to the certificate")
        }
        var subject = leaf
        for (place, issuer) in chain.enumerated() {
            guard X509_check_issued(issuer, subject) == X509_V_OK else {
                throw OpenSSLError(
                    .chainOrder,
                    "the chain is in the wrong order: certificate \(place + 2) did not issue certificate \(place + 1)")
            }
            subject = issuer
        }
    }

    private static func names(of leaf: OpaquePointer) -> [String] {
        guard let extensionValue = X509_get_ext_d2i(leaf, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(extensionValue)
        defer { GENERAL_NAMES_free(list) }
        var names: [String] = []
        for index in 0..<max(0, c_sk_GENERAL_NAME_num(list)) {
            guard let name = c_sk_GENERAL_NAME_value(list, index) else { continue }
            switch name.pointee.type {
            case GEN_DNS:
                names.append(String(decoding: ASN1Value.bytes(name.pointee.d.dNSName), as: UTF8.self).lowercased())
            case GEN_IPADD:
                let bytes = ASN1Value.bytes(name.pointee.d.iPAddress)
                guard bytes.count == 4 else { continue }
                names.append(bytes.map { "\($0)" }.joined(separator: "."))
            default: continue
            }
        }
        return names
    }

    private static func keyType(of key: OpaquePointer) -> KeyType {
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_EC: .ecdsa
        case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: .rsa
        default: .other
        }
    }
}
