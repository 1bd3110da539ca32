internal import LinkPages
internal import Logging
internal import SystemSupport

extension LinkServer {
    /// Opens the library that pages need for their QR codes if a site has links, so that no request waits for it; where it is
    /// missing, the log says so once.
    func openQRLibrary(for snapshot: ServerSnapshot) {
        guard snapshot.loadedSites.contains(where: { $0.links?.file != nil }), let missing = QRLibrary.problem else {
            return
        }
        let isKnown = state.withLock { state in
            defer { state.isQRLibraryMissing = true }
            return state.isQRLibraryMissing
        }
        if !isKnown { logger.warning("pages of links have no QR code: \(missing); \(missing.help)") }
    }
}
