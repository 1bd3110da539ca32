internal import BoundedText
internal import COpenSSL
internal import Glibc

/// The verdict about the certificates that a server has presented: the first fault in the order of the cases.
package enum ChainVerdict: Equatable, Sendable {
    /// The leaf has expired, at this time in seconds since 1970.
    case expired(Int64)
    /// The leaf is not valid before this time.
    case notYetValid(Int64)
    /// No subject alternative name covers the host; the first ones, five at most.
    case nameMismatch([String])
    /// There is only a leaf, whose issuer is not trusted: the usual cause is a certificate in
    /// between that the server does not send. With the issuer's name.
    case missingIntermediate(String)
    /// Any other chain that does not end in a trusted root.
    case untrusted(Distrust)
    case good

    package enum Distrust: Equatable, Sendable {
        /// The leaf signs itself.
        case selfSigned
        /// The last issuer that was found is not a trusted root; its name.
        case unknownIssuer(String)
        /// A certificate above the leaf has expired, or is not valid yet; its name.
        case issuerExpired(String)
        case issuerNotYetValid(String)
        /// Anything else, in the library's words.
        case other(String)
    }
}

/// The certificates that a server has presented, leaf first.
package struct PresentedChain: Sendable {
    private let certificates: [X509Certificate]
    package let leaf: LeafFacts

    /// The facts about a leaf, whether it is trusted or not.
    package struct LeafFacts: Equatable, Sendable {
        /// Seconds since 1970.
        package let notBefore: Int64
        /// Seconds since 1970; it is valid in that second still.
        package let notAfter: Int64
        /// The common name of the issuer; without one its organization, or all that it has.
        package let issuer: String
        /// The DNS names in lower case and the addresses of the subject alternative name.
        package let names: [String]

        package init(notBefore: Int64, notAfter: Int64, issuer: String, names: [String]) {
            (self.notBefore, self.notAfter, self.issuer, self.names) = (notBefore, notAfter, issuer, names)
        }
    }

    private static let context = Result { () throws(OpenSSLError) in try LibraryContext() }

    /// - Parameter text: all of them in PEM form.
    /// - Throws: `OpenSSLError.Code.noCertificate` if there is none, or a damaged one.
    package init(pem text: [UInt8]) throws(OpenSSLError) {
        try self.init(der: PEMText.certificates(text))
    }

    /// - Throws: as above.
    package init(der: [[UInt8]]) throws(OpenSSLError) {
        let context = try Self.context.get()
        var certificates: [X509Certificate] = []
        // Some servers send their leaf twice, which says nothing.
        for bytes in der where !certificates.contains(where: { $0.der == bytes }) {
            certificates.append(try X509Certificate(der: bytes[...], in: context))
        }
        guard let first = certificates.first else {
            throw OpenSSLError(.noCertificate, "the server presents no certificate")
        }
        self.certificates = certificates
        leaf = LeafFacts(
            notBefore: first.notBefore, notAfter: first.notAfter, issuer: Self.name(first.issuer),
            names: SubjectAlternativeNames.of(first.pointer))
    }

    /// - Parameters:
    ///   - host: a name in ASCII without a final dot, or an address.
    ///   - time: seconds since 1970.
    /// - Throws: `OpenSSLError.Code.setUp` if the library cannot be used.
    package func verdict(for host: String, at time: Int64, trust: TrustStore) throws(OpenSSLError) -> ChainVerdict {
        guard time <= leaf.notAfter else { return .expired(leaf.notAfter) }
        guard time >= leaf.notBefore else { return .notYetValid(leaf.notBefore) }
        guard covers(host) else { return .nameMismatch(Array(leaf.names.prefix(5))) }
        return try verify(at: time, trust)
    }

    /// Whether the alternative names alone cover a host, with `*` as a whole label only, as in browsers.
    private func covers(_ host: String) -> Bool {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        let pointer = certificates[0].pointer
        let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        let isAddress = X509_check_ip_asc(pointer, host, flags)
        // It says that the text is not an address with a negative number.
        return isAddress >= 0 ? isAddress == 1 : X509_check_host(pointer, host, host.utf8.count, flags, nil) == 1
    }

    private func verify(at time: Int64, _ trust: TrustStore) throws(OpenSSLError) -> ChainVerdict {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        let others = c_sk_X509_new_null()
        defer { c_sk_X509_free(others) }
        for certificate in certificates.dropFirst() { c_sk_X509_push(others, certificate.pointer) }
        guard let context = X509_STORE_CTX_new() else { throw OpenSSLError(.setUp, "out of memory") }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, trust.pointer, certificates[0].pointer, others) == 1,
            X509_STORE_CTX_set_default(context, "ssl_server") == 1, let parameters = X509_STORE_CTX_get0_param(context)
        else { throw OpenSSLError(.setUp, "a chain cannot be verified") }
        // The library takes the last second for one in which the certificate is not valid any more.
        X509_VERIFY_PARAM_set_time(parameters, time_t(time == leaf.notAfter ? time - 1 : time))
        // As in the handshakes of requests.
        X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        guard X509_verify_cert(context) != 1 else { return .good }
        return distrust(context)
    }

    /// The security level of TLS by the library's own choice.
    private static let securityLevel: Int32 = {
        guard let context = SSL_CTX_new(TLS_client_method()) else { return 1 }
        defer { SSL_CTX_free(context) }
        return SSL_CTX_get_security_level(context)
    }()

    private func distrust(_ context: OpaquePointer) -> ChainVerdict {
        let error = X509_STORE_CTX_get_error(context)
        let depth = Int(X509_STORE_CTX_get_error_depth(context))
        let first = certificates[0]
        var name: String {
            guard let found = X509_STORE_CTX_get_current_cert(context) else { return "" }
            return certificates.first { X509_cmp($0.pointer, found) == 0 }.map { Self.name($0.subject) } ?? ""
        }
        switch error {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            // The last one that was found names its issuer, which was not.
            let last = X509_STORE_CTX_get_current_cert(context).flatMap { found in
                certificates.first { X509_cmp($0.pointer, found) == 0 }
            }
            let issuer = Self.name((last ?? first).issuer)
            return certificates.count == 1 ? .missingIntermediate(issuer) : .untrusted(.unknownIssuer(issuer))
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .untrusted(.selfSigned)
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: return .untrusted(.unknownIssuer(name))
        case X509_V_ERR_CERT_HAS_EXPIRED where depth > 0: return .untrusted(.issuerExpired(name))
        case X509_V_ERR_CERT_NOT_YET_VALID where depth > 0: return .untrusted(.issuerNotYetValid(name))
        default:
            return .untrusted(.other(X509_verify_cert_error_string(Int(error)).map { String(cText: $0) } ?? ""))
        }
    }

    /// The name that a person would use for it.
    private static func name(_ attributes: [X509Certificate.Attribute]) -> String {
        // Common name, organization, organizational unit.
        for oid in ["2.5.4.3", "2.5.4.10", "2.5.4.11"] {
            if let value = attributes.first(where: { $0.oid == oid })?.value, !value.isEmpty { return value }
        }
        return attributes.map(\.value).joined(separator: ", ")
    }
}

/// The names that a certificate is for (RFC 5280, section 4.2.1.6).
enum SubjectAlternativeNames {
    /// The DNS names in lower case, and the addresses.
    ///
    /// - Parameter hasIPv6: whether addresses of IPv6 count.
    static func of(_ certificate: OpaquePointer, hasIPv6: Bool = true) -> [String] {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let value = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(value)
        defer { GENERAL_NAMES_free(list) }
        return (0..<max(0, c_sk_GENERAL_NAME_num(list))).compactMap { index in
            guard let name = c_sk_GENERAL_NAME_value(list, index) else { return nil }
            switch name.pointee.type {
            case GEN_DNS: return String(text: ASN1Value.bytes(name.pointee.d.dNSName)).lowercased()
            case GEN_IPADD:
                let bytes = ASN1Value.bytes(name.pointee.d.iPAddress)
                return hasIPv6 || bytes.count == 4 ? address(bytes) : nil
            default: return nil
            }
        }
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return nil
        }
        return String(text: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
    }
}

/// Roots that are trusted: the system's, and further ones.
///
/// One serves a whole process: to read the system's roots costs more than a handshake. Those in a folder with hashed
/// names are read when a chain first needs them. All threads may use it.
package final class TrustStore: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Whether the system has any: without the package `ca-certificates` no chain is good.
    package let hasSystemRoots: Bool

    /// - Parameters:
    ///   - includesSystem: whether the system's roots are trusted.
    ///   - additional: a PEM text with certificates that are trusted, too.
    /// - Throws: `OpenSSLError.Code.noCertificate` if there is none in the text, or a damaged one.
    package init(includesSystem: Bool = true, additional: [UInt8]? = nil) throws(OpenSSLError) {
        _ = LibraryLifetime.lastsToTheEnd
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        guard let store = X509_STORE_new() else { throw OpenSSLError(.setUp, "out of memory") }
        pointer = store
        hasSystemRoots = includesSystem && Self.addSystemRoots(to: store)
        // A trust anchor need not be a root, as with curl.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_TRUSTED_FIRST))
        guard let additional else { return }
        let certificates = try PEMText.certificates(additional)
        guard !certificates.isEmpty else {
            throw OpenSSLError(.noCertificate, "it contains no certificate in PEM form")
        }
        for der in certificates {
            let certificate = try ParsedIdentity.certificate(der)
            defer { X509_free(certificate) }
            guard X509_STORE_add_cert(store, certificate) == 1 else {
                throw OpenSSLError(.noCertificate, "a certificate in it cannot be used")
            }
        }
    }

    deinit { X509_STORE_free(pointer) }

    /// Adds the roots from where this OpenSSL looks for them by itself; the environment has no say.
    private static func addSystemRoots(to store: OpaquePointer) -> Bool {
        if let folder = X509_get_default_cert_dir(), hasHashedNames(folder), X509_STORE_load_path(store, folder) == 1 {
            return true
        }
        guard let file = X509_get_default_cert_file() else { return false }
        return X509_STORE_load_file(store, file) == 1
    }

    /// Whether a folder has names as `openssl rehash` gives them, like `002c0b4f.0`.
    private static func hasHashedNames(_ path: UnsafePointer<CChar>) -> Bool {
        guard let folder = opendir(path) else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let isHashed = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name[..<8].allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 } && name[8] == UInt8(ascii: ".")
                    && 0x30...0x39 ~= name[9]
            }
            if isHashed { return true }
        }
        return false
    }

    /// Has the connections of an `SSL_CTX` that another library owns verified against this store, and a stream that
    /// ends without `close_notify` taken for one that ends: whether all has come is for the protocol above to say.
    ///
    /// - Parameter context: an `SSL_CTX *`.
    /// - Returns: whether it was done.
    package func install(inTLSContext context: UnsafeMutableRawPointer) -> Bool {
        let context = OpaquePointer(context)
        SSL_CTX_set1_cert_store(context, pointer)
        c_SSL_CTX_ignore_unexpected_eof(context)
        return true
    }
}
