import DomainNames
import HTTPClient
import SystemSupport

/// Says at once where names lead: to this machine, unless a test says otherwise.
final class WorldResolver: NameResolver {
    private let results = Locked<[String: Result<[IPAddress], ResolutionFailure>]>([:])

    func set(_ name: String, _ result: Result<[IPAddress], ResolutionFailure>) {
        results.withLock { $0[name] = result }
    }

    func start(
        _ name: String, _ family: AddressFamily, timeLimit: Duration,
        completion: @escaping @Sendable (Result<[IPAddress], ResolutionFailure>) -> Void
    ) -> Cancellation {
        let local = IPAddress("127.0.0.1").map { [$0] } ?? []
        switch (results.withLock { $0[name] }, family) {
        case (.failure(let failure), _): completion(.failure(failure))
        case (.success(let addresses), .ipv4): completion(.success(addresses))
        case (nil, .ipv4): completion(.success(local))
        default: completion(.failure(.noAddress))
        }
        return Cancellation {}
    }
}
