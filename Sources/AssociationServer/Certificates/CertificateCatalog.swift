internal import Diagnostics
internal import EventLoops
internal import OpenSSL
internal import SiteStore

/// All certificates that the server may present, wherever they come from (server.md, section 1; store.md, section 4).
///
/// What cannot be used now leaves what was used before. All of it happens on the queue of the reloader.
final class CertificateCatalog {
    private var ofFolders = LoadedCertificates()
    private(set) var ofStore = StoreCertificates()
    /// The pairs of folders that are incomplete, and when they are tried again.
    var retries = PairRetries()

    /// All that are used, with what was found.
    var content: LoadedCertificates { ofFolders.merged(with: ofStore.loaded) }

    /// Whether a file was written while it was read.
    var needsRetry: Bool { ofFolders.needsRetry }

    /// Reads the folders for the first time.
    ///
    /// - Parameter context: any context of the server, to check the certificates with.
    /// - Throws: `ServerError`: `unreadable`, or `setUp`.
    func readFolders(_ configuration: ServerConfiguration, context: TLSContext) throws(ServerError) {
        guard configuration.readsCertificateFolders else { return }
        ofFolders = try CertificateLoader(configuration, context: context, now: Clock.wallSeconds()).load()
    }

    /// Reads the folders again; a pair is removed when its folder is gone.
    ///
    /// - Parameters:
    ///   - folders: the names of the folders to be read; `nil` for all.
    ///   - trustsStamps: whether files that look as they did are not read again.
    ///   - old: the snapshot that is served.
    ///   - now: milliseconds on a clock that never goes back.
    /// - Returns: whether they could be read; otherwise nothing is known of what is in them.
    func readFolders(
        _ configuration: ServerConfiguration, only folders: Set<String>?, trustsStamps: Bool,
        since old: ServerSnapshot, at now: Int64
    ) -> Bool {
        ofFolders = LoadedCertificates(pairs: ofFolders.pairs.map(\.kept), problems: ofFolders.problems)
        for index in ofFolders.problems.indices { ofFolders.problems[index].waitingSince = nil }
        // As when it was started: listeners do not change.
        guard configuration.readsCertificateFolders else { return true }
        do throws(ServerError) {
            let loader = try CertificateLoader(
                configuration, context: old.identities.base, now: Clock.wallSeconds(), previous: old.certificates,
                trustsStamps: trustsStamps, only: folders)
            ofFolders = try loader.load { retries.judge($0, at: now) }
            return true
        } catch {
            ofFolders.findings = [.error(configuration.certs, "\(error); keeping the certificates read before")]
            return false
        }
    }

    /// Takes over what has changed in a store.
    ///
    /// - Parameter context: any context of the server, to check the certificates with.
    /// - Returns: whether there may be other ones than before.
    func apply(_ update: StoreUpdate, context: TLSContext) -> Bool { ofStore.apply(update, context: context) }
}
