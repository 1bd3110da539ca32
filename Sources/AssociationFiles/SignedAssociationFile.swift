package import AssociationLint
internal import OpenSSL

/// Takes the content out of files that are signed as iOS 8 wanted it; the library with the linter links no OpenSSL.
package enum SignedAssociationFile {
    /// - Returns: `nil` for a file that is not signed.
    package static func unwrap(_ bytes: [UInt8]) -> SignedFile? {
        guard SignedData.isSigned(bytes) else { return nil }
        do throws(OpenSSLError) {
            let signed = try SignedData.content(bytes)
            return .content(
                signed.content, signer: signed.signer, issuer: signed.issuer, notAfter: signed.notAfter)
        } catch {
            return .unreadable(error.description)
        }
    }
}
