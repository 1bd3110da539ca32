internal import Diagnostics
internal import JSONSyntax
internal import SystemSupport

/// The file `acme.json`, which marks the folder of a certificate as one that ACME has made.
package struct CertificateMetadata: Equatable, Sendable {
    /// The URL of the CA's directory.
    package let directory: String
    package let domain: Domain
    /// Seconds since 1970; nil if it cannot be read.
    package let issuedAt: Int64?

    package init(directory: String, domain: Domain, issuedAt: Int64?) {
        (self.directory, self.domain, self.issuedAt) = (directory, domain, issuedAt)
    }

    /// Reads `acme.json`; nil if it is damaged.
    package init?(json bytes: [UInt8]) {
        do throws(IssuanceError) {
            let object = try ReceivedObject(bytes, subject: "acme.json")
            guard try object.integer("version") == 1, let domain = Domain(try object.string("domain")) else {
                return nil
            }
            self.domain = domain
            directory = try object.string("directory")
            issuedAt = try? object.optionalTime("issuedAt")
        } catch {
            return nil
        }
    }

    /// The content of `acme.json`.
    package var json: String {
        let object: [String: JSONOutput] = [
            "version": .number(1), "directory": .string(directory), "domain": .string(domain.identifier),
            "issuedAt": .optional(issuedAt.map(InternetDate.string)),
        ]
        return JSONOutput.object(object).text + "\n"
    }
}
