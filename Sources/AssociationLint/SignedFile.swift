/// What is inside a signed (CMS) file.
public enum SignedFile: Sendable {
    /// The content, who signed it, who issued the signer's certificate, and when that ends; nil is unknown.
    case content([UInt8], signer: String?, issuer: String?, notAfter: String?)
    /// It is signed data, but there is no content to read; a clause that says why.
    case unreadable(String)
}
