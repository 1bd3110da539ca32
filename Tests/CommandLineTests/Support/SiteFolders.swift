import Foundation
import PushSamples
import TLSSamples
import TestSupport

enum SiteFolders {
    /// Folders for a server: a site for each name, with a certificate of 398 days that ends in so many days.
    ///
    /// - Parameter sites: Those without days have no certificate.
    static func layOut(_ sites: [(name: String, days: Int?)], document: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/.git", withIntermediateDirectories: true)
        for (name, days) in sites {
            try folder.write(document, to: "sites/\(name)/apple-app-site-association")
            guard let days else { continue }
            let leaf = SampleSite.leaf([name], notBefore: Int64(days) - 398, notAfter: Int64(days))
            try folder.write(
                try leaf.pem() + SampleSite.intermediate.certificate.pem(), to: "certs/\(name)/fullchain.pem")
            let key = try folder.write(try leaf.key.pem(), to: "certs/\(name)/privkey.pem")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        }
        return folder
    }
}
