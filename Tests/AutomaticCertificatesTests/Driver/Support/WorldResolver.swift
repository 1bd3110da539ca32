import DomainNames
import HTTPClient

/// Says at once where names lead: to this machine.
struct WorldResolver: NameResolver {
    func start(
        _ name: String, _ family: AddressFamily, timeLimit: Duration,
        completion: @escaping @Sendable (Result<[IPAddress], ResolutionFailure>) -> Void
    ) -> Cancellation {
        let local = family == .ipv4 ? IPAddress("127.0.0.1") : nil
        completion(local.map { .success([$0]) } ?? .failure(.noAddress))
        return Cancellation {}
    }
}
