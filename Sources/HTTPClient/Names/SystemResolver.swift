internal import BoundedText
internal import CCurl
internal import Dispatch
package import DomainNames
internal import Glibc
internal import SystemSupport

/// Looks names up with getaddrinfo(3), as every program of the machine does, on threads of its own.
///
/// A lookup cannot be interrupted: one whose time is over, or that is cancelled, is abandoned, and its thread ends when
/// the system gives up. The domains of `search` in resolv.conf are left out, so that a name is that name and no other.
package final class SystemResolver: NameResolver {
    /// At most so many addresses of a family are given.
    package static let maximumAddresses = 4

    /// Lookups at a time that a caller waits for.
    private static let width = 32
    /// The same, abandoned ones included: with a resolver that does not answer, each takes a thread for half a minute.
    private static let limit = 256

    package typealias Lookup = @Sendable (String, AddressFamily) -> Result<[IPAddress], ResolutionFailure>

    private struct State {
        var waiting: [Task] = []
        /// Threads, and those of them whose lookup no caller waits for.
        var threads = 0
        var abandoned = 0
    }

    private final class Task: Sendable {
        struct State {
            var completion: (@Sendable (Result<[IPAddress], ResolutionFailure>) -> Void)?
            var timer: DispatchWorkItem?
            var isRunning = false
        }

        let name: String
        let family: AddressFamily
        let state: Locked<State>

        init(
            _ name: String, _ family: AddressFamily,
            _ completion: @escaping @Sendable (Result<[IPAddress], ResolutionFailure>) -> Void
        ) {
            (self.name, self.family) = (name, family)
            state = Locked(State(completion: completion))
        }
    }

    private let lookup: Lookup
    private let state = Locked(State())

    /// - Parameter lookup: for tests; it may block.
    package init(lookup: @escaping Lookup = SystemResolver.system) { self.lookup = lookup }

    package func start(
        _ name: String, _ family: AddressFamily, timeLimit: Duration,
        completion: @escaping @Sendable (Result<[IPAddress], ResolutionFailure>) -> Void
    ) -> Cancellation {
        let task = Task(name, family, completion)
        let timer = DispatchWorkItem { [weak self] in self?.abandon(task, .timedOut) }
        task.state.withLock { $0.timer = timer }
        let (seconds, attoseconds) = timeLimit.components
        let nanoseconds = Int(clamping: seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(max(0, nanoseconds)), execute: timer)
        state.withLock { $0.waiting.append(task) }
        startThread()
        return Cancellation { [weak self] in self?.abandon(task, .cancelled) }
    }

    /// Starts one more thread, if there is work and room for it.
    private func startThread() {
        let isNeeded = state.withLock { state in
            guard !state.waiting.isEmpty, state.threads - state.abandoned < Self.width, state.threads < Self.limit
            else { return false }
            state.threads += 1
            return true
        }
        guard isNeeded else { return }
        do throws(SystemError) {
            // The system's modules of name services are not frugal.
            try DetachedThread.start(stackSize: 512 << 10) { [self] in
                c_name_thread("name-lookup")
                run()
            }
        } catch {
            let task = state.withLock { state -> Task? in
                state.threads -= 1
                // Those that wait for one of the other threads are served.
                return state.threads == 0 ? state.waiting.popLast() : nil
            }
            if let task { finish(task, .failure(.failed(error.reason))) }
        }
    }

    /// Looks names up until none is left.
    private func run() {
        while let task = nextTask() {
            let isWanted = task.state.withLock { state in
                state.isRunning = state.completion != nil
                return state.isRunning
            }
            guard isWanted else { continue }
            let result = lookup(task.name, task.family)
            if !finish(task, result.map { Self.distinct($0) }) { state.withLock { $0.abandoned -= 1 } }
        }
    }

    private func nextTask() -> Task? {
        state.withLock { state in
            // One that was abandoned on the way has had others in its place.
            if state.waiting.isEmpty || state.threads - state.abandoned > Self.width {
                state.threads -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    /// - Returns: whether a caller was still waiting.
    @discardableResult
    private func finish(_ task: Task, _ result: Result<[IPAddress], ResolutionFailure>) -> Bool {
        let (completion, timer) = task.state.withLock { state in
            defer { (state.completion, state.timer) = (nil, nil) }
            return (state.completion, state.timer)
        }
        timer?.cancel()
        completion?(result)
        return completion != nil
    }

    private func abandon(_ task: Task, _ failure: ResolutionFailure) {
        let (completion, isRunning) = task.state.withLock { state in
            defer { (state.completion, state.timer) = (nil, nil) }
            // Counted before its thread can see that no caller waits any more.
            if state.completion != nil, state.isRunning { self.state.withLock { $0.abandoned += 1 } }
            state.timer?.cancel()
            return (state.completion, state.isRunning)
        }
        guard let completion else { return }
        completion(.failure(failure))
        if isRunning {
            startThread()
        } else {
            state.withLock { state in state.waiting.removeAll { $0 === task } }
        }
    }

    private static func distinct(_ addresses: [IPAddress]) -> [IPAddress] {
        var seen: Set<IPAddress> = []
        return Array(addresses.filter { seen.insert($0).inserted }.prefix(maximumAddresses))
    }
}

extension SystemResolver {
    /// Asks the system, and waits for it.
    package static let system: Lookup = { name, family in
        c_look_up_names_as_they_are()
        var hints = addrinfo()
        hints.ai_family = family == .ipv4 ? AF_INET : AF_INET6
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(name, nil, &hints, &list)
        let number = errno
        guard result == 0 else { return .failure(failure(result, number)) }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next {
            if let address = address(entry.pointee) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(.noAddress) : .success(addresses)
    }

    private static func address(_ entry: addrinfo) -> IPAddress? {
        guard let start = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            let address = start.loadUnaligned(as: sockaddr_in.self)
            return IPAddress(ipv4: UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            let address = start.loadUnaligned(as: sockaddr_in6.self)
            return withUnsafeBytes(of: address.sin6_addr) { bytes in
                IPAddress(
                    high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        default: return nil
        }
    }

    /// - Parameters:
    ///   - result: of getaddrinfo.
    ///   - number: the `errno` after it.
    private static func failure(_ result: Int32, _ number: Int32) -> ResolutionFailure {
        switch result {
        case EAI_NONAME: .noSuchName
        // EAI_NODATA and EAI_ADDRFAMILY, which only GNU has.
        case -5, -9: .noAddress
        case EAI_SYSTEM: .failed(SystemError(call: "getaddrinfo", number: number).reason)
        default: .failed(gai_strerror(result).map { String(cText: $0).lowercased() } ?? "error \(result)")
        }
    }
}
