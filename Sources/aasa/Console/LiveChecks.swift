import AssociationConsole
import Dispatch
import DomainDoctor
import SystemSupport

/// The checks of live domains that the pages of `aasa console` ask for: one at a time, and the files of the last ones.
final class LiveChecks: Sendable {
    private static let maxKept = 8
    private static let secondsBetweenTries = 5

    private let network: DoctorNetworkOptions
    private let turn = DispatchSemaphore(value: 1)
    /// By what the pages call the host, the last one at the end.
    private let kept = Locked<[(authority: String, files: LiveFiles)]>([])

    init(_ network: DoctorNetworkOptions) { self.network = network }

    /// - Parameter text: a domain or a link, with or without its scheme.
    func check(_ text: String) -> DoctorAnswer {
        guard turn.wait(timeout: .now()) == .success else { return .busy(retryAfter: Self.secondsBetweenTries) }
        defer { turn.signal() }
        let isShort = text.utf8.contains(UInt8(ascii: "/")) && !text.contains("://")
        let document = DoctorRun.document(of: isShort ? "https://\(text)" : text) { $0.network = network }
        for (target, files) in document.served {
            keep(LiveFiles(host: target.host, files.association, files.assetLinks), as: target.authority)
        }
        return .report(document.text)
    }

    private func keep(_ files: LiveFiles, as authority: String) {
        kept.withLock { kept in
            kept.removeAll { $0.authority == authority }
            if kept.count == Self.maxKept { kept.removeFirst() }
            kept.append((authority, files))
        }
    }

    func files(of authority: String) -> LiveFiles? {
        kept.withLock { kept in kept.first { $0.authority == authority }?.files }
    }
}
