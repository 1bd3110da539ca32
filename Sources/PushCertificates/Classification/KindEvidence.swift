internal import OpenSSL

/// What of a certificate decides about its kind.
package struct KindEvidence {
    package var extensions: Set<String>
    package var commonName: String?
    package var userID: String?
    package var isCA = false
    package var extendedKeyUsages: [String] = []

    package init(
        extensions: Set<String>, commonName: String? = nil, userID: String? = nil, isCA: Bool = false,
        extendedKeyUsages: [String] = []
    ) {
        self.extensions = extensions
        self.commonName = commonName
        self.userID = userID
        self.isCA = isCA
        self.extendedKeyUsages = extendedKeyUsages
    }
}

extension KindEvidence {
    init(_ details: CertificateDetails) {
        self.init(
            extensions: Set(details.certificate.extensions.map(\.oid)), commonName: details.commonName,
            userID: details.userID, isCA: details.isCA, extendedKeyUsages: details.extendedKeyUsages)
    }
}
