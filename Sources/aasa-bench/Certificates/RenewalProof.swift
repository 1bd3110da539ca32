import PushCertificates
import PushSamples

/// Takes a file for the new certificate of a renewal, and for the file of its key.
struct RenewalProof {
    private let reader: CertificateFileReader
    /// Those of the samples.
    private let keys: KeyFile
    private let password = Password(utf8: CertificateSeeds.password.utf8)

    init(_ reader: CertificateFileReader) throws {
        self.reader = reader
        let text = try (1...3).map { try SampleKey.p256($0).pem() }.joined()
        keys = try KeyFile(Array(text.utf8), with: reader)
    }

    /// Says what is impossible about the answers.
    ///
    /// - Parameters:
    ///   - old: Files that are in use.
    ///   - isWritten: Whether a file is made of the certificate and its key, which takes a while.
    func complaint(
        about bytes: [UInt8], old: [CertificateFile], now: Int64, password given: Password?, isWritten: Bool
    ) -> String? {
        var messages: [String] = []
        do throws(RenewalError) {
            _ = try KeyFile(bytes, passwords: given.map { [$0] } ?? [], with: reader)
        } catch {
            messages.append(error.message)
        }
        do throws(RenewalError) {
            let issued = try IssuedCertificate(bytes, with: reader)
            messages += issued.warnings(now: now) + issued.findings.map(\.message)
            if let file = old.first, let replacement = try? Replacement(of: file, by: issued.certificate) {
                messages += replacement.warnings + [replacement.refusal?.message].compactMap { $0 }
            }
            if isWritten, let key = keys.key(of: issued) {
                let combined = try CombinedFile(issued, key: key, password: password, with: reader)
                if let difference = difference(combined) { return difference }
            }
        } catch {
            messages.append(error.message)
        }
        return messages.lazy.compactMap(CertificateProof.complaint(aboutMessage:)).first
    }

    private func difference(_ file: CombinedFile) -> String? {
        do throws(RenewalError) {
            try file.verify(file.bytes)
            return nil
        } catch {
            return "combined with its key: \(error.message)"
        }
    }
}
