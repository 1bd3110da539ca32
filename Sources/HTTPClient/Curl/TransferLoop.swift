internal import CCurl
internal import SystemSupport

/// The thread of a transport with its multi handle.
///
/// Other threads reach it through a mailbox only. It looks there whenever it has waited, and it is woken from that.
final class TransferLoop: @unchecked Sendable {
    /// The requests of other threads to this one.
    private struct Mailbox {
        var submitted: [Transfer] = []
        var cancelled: [UInt64] = []
        var nextNumber: UInt64 = 0
        var isStopping = false
        /// Whether it runs: from the first request to the end of the thread.
        var isRunning = false
    }

    private let library: CurlLibrary
    private let maxConnections: Int
    private let maxConnectionsPerHost: Int
    private let prepareTLS: @Sendable (UnsafeMutableRawPointer) -> Bool
    private let mailbox = Locked(Mailbox())
    /// Everything but waking it is for the thread alone; it is gone once the thread is.
    private let multi: UnsafeMutableRawPointer

    // Only the thread uses the following properties.
    private var waiting: [Transfer] = []
    private var active: [UInt64: Transfer] = [:]
    private var connections: [String: Int] = [:]
    /// The last time, by host, at which a request gave up waiting for an answer.
    private var silences: [String: ContinuousClock.Instant] = [:]

    private var curl: UnsafePointer<c_curl_functions> { library.functions }

    init(
        _ library: CurlLibrary, connections: Int, connectionsPerHost: Int,
        _ prepareTLS: @escaping @Sendable (UnsafeMutableRawPointer) -> Bool
    ) throws(MissingLibrary) {
        guard let multi = library.functions.pointee.multi_init() else {
            throw MissingLibrary(name: "libcurl", package: "libcurl4", reason: "it is out of memory")
        }
        self.library = library
        (maxConnections, maxConnectionsPerHost) = (connections, connectionsPerHost)
        self.prepareTLS = prepareTLS
        self.multi = multi
        // The maximum number of idle connections.
        _ = c_curl_multi_set_long(library.functions, multi, CURLMOPT_MAXCONNECTS, 32)
    }

    func submit(_ work: Transfer.Work) -> Cancellation {
        let (number, failure) = mailbox.withLock { mailbox -> (UInt64, (Transfer, SystemError)?) in
            mailbox.nextNumber += 1
            let transfer = Transfer(number: mailbox.nextNumber, work)
            if mailbox.isRunning {
                _ = curl.pointee.multi_wakeup(multi)
            } else {
                do throws(SystemError) {
                    try DetachedThread.start(stackSize: 1 << 20) {
                        c_name_thread("http-transport")
                        self.run()
                    }
                } catch {
                    return (transfer.number, (transfer, error))
                }
                mailbox.isRunning = true
            }
            mailbox.submitted.append(transfer)
            return (transfer.number, nil)
        }
        // On this thread: there is no other one. Not under the lock, which the completion may need.
        if let (transfer, error) = failure { transfer.fail(.outOfResources(error.number)) }
        return Cancellation { [weak self] in self?.cancel(number) }
    }

    private func cancel(_ number: UInt64) {
        mailbox.withLock { mailbox in
            guard mailbox.isRunning else { return }
            mailbox.cancelled.append(number)
            _ = curl.pointee.multi_wakeup(multi)
        }
    }

    /// Ends the thread, which cancels what there is. Nothing is submitted afterwards.
    func stop() {
        let isRunning = mailbox.withLock { mailbox in
            mailbox.isStopping = true
            if mailbox.isRunning { _ = curl.pointee.multi_wakeup(multi) }
            return mailbox.isRunning
        }
        if !isRunning { _ = curl.pointee.multi_cleanup(multi) }
    }
}

// On the thread.
extension TransferLoop {
    /// A minute: it is woken when there is something to do, and libcurl's own timers make it shorter.
    private static let pause: Int32 = 60_000

    private func run() {
        while readMailbox() {
            startWaiting()
            var running: Int32 = 0
            _ = curl.pointee.multi_perform(multi, &running)
            var result = CURLE_OK
            var isAnyDone = false
            while let easy = c_curl_next_done(curl, multi, &result) {
                isAnyDone = true
                guard let data = c_curl_get_private(curl, easy) else { continue }
                let transfer = Unmanaged<Transfer>.fromOpaque(data).takeUnretainedValue()
                if transfer.isUnanswered(result) { silences[transfer.host] = .now }
                end(transfer) { $0.finish(result) }
            }
            // Others may have their turn now.
            if isAnyDone, !waiting.isEmpty { continue }
            _ = curl.pointee.multi_poll(multi, nil, 0, Self.pause, nil)
        }
        for transfer in Array(active.values) { end(transfer) { $0.fail(.cancelled) } }
        for transfer in waiting { transfer.fail(.cancelled) }
        waiting = []
        // The handle is not woken from here on.
        let rest = mailbox.withLock { mailbox in
            mailbox.isRunning = false
            return mailbox.submitted
        }
        for transfer in rest { transfer.fail(.cancelled) }
        _ = curl.pointee.multi_cleanup(multi)
    }

    /// - Returns: whether to go on.
    private func readMailbox() -> Bool {
        let (submitted, cancelled, isStopping) = mailbox.withLock { mailbox in
            defer { (mailbox.submitted, mailbox.cancelled) = ([], []) }
            return (mailbox.submitted, mailbox.cancelled, mailbox.isStopping)
        }
        waiting += submitted
        for number in cancelled {
            if let transfer = active[number] {
                end(transfer) { $0.fail(.cancelled) }
            } else if let index = waiting.firstIndex(where: { $0.number == number }) {
                waiting.remove(at: index).fail(.cancelled)
            }
        }
        return !isStopping
    }

    /// Starts those for which there is room; a busy host does not keep others waiting.
    private func startWaiting() {
        guard !waiting.isEmpty, active.count < maxConnections else { return }
        var stillWaiting: [Transfer] = []
        for transfer in waiting {
            let count = connections[transfer.host, default: 0]
            guard active.count < maxConnections, count < maxConnectionsPerHost else {
                stillWaiting.append(transfer)
                continue
            }
            let easy = transfer.begin(
                with: library, longestIdle: longestIdle(to: transfer.host), prepareTLS: prepareTLS)
            guard let easy else { continue }
            guard curl.pointee.multi_add_handle(multi, easy) == CURLM_OK else {
                transfer.fail(.outOfResources(ENOMEM))
                continue
            }
            active[transfer.number] = transfer
            connections[transfer.host] = count + 1
        }
        waiting = stillWaiting
    }

    /// The seconds for which a connection that is used again may have been idle; nil for libcurl's own limit, 118.
    ///
    /// When a host has left one request unanswered, whatever lies between may have forgotten all connections, and each
    /// of those that are kept would cost another request its time limit. One that was used since then is alive.
    private func longestIdle(to host: String) -> Int? {
        guard let silence = silences[host] else { return nil }
        let seconds = Int((.now - silence).components.seconds)
        guard seconds < 117 else {
            silences[host] = nil
            return nil
        }
        return seconds + 1
    }

    private func end(_ transfer: Transfer, _ body: (Transfer) -> Void) {
        guard active.removeValue(forKey: transfer.number) != nil else { return }
        let count = connections[transfer.host, default: 1] - 1
        connections[transfer.host] = count > 0 ? count : nil
        // Its results are asked for while it still has its connection.
        body(transfer)
        if let easy = transfer.easy { _ = curl.pointee.multi_remove_handle(multi, easy) }
        transfer.free()
    }
}
