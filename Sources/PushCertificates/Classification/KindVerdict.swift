/// What a certificate is, and what about that is to be said.
package struct KindVerdict {
    package let kind: CertificateKind
    /// In the order sandbox, production.
    package let environments: [APNsEnvironment]
    package internal(set) var finding: Finding?
}
