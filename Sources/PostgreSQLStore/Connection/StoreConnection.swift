internal import BoundedText
internal import CPostgreSQL
internal import Diagnostics
internal import Glibc
package import SiteStore

/// A connection to the database of a store, for one thread.
///
/// Every reply has a deadline on this side: a server that is stopped, or cut off, answers nothing, and its own time limits
/// are enforced by itself. What was waited for in vain closes the connection.
package final class StoreConnection {
    private let library: c_pq_table
    /// Nil once it is closed.
    private var handle: OpaquePointer?
    private var timeouts: StoreTimeouts
    package let address: StoreAddress
    /// The version of the server, such as 150018 for 15.18.
    package let serverVersion: Int

    /// Connects, which takes at most as long as `connect_timeout` says for each host.
    ///
    /// - Throws: `StoreError` of the kinds `unreachable`, `authentication`, or `other` for a server that is too old.
    package init(_ address: StoreAddress, _ timeouts: StoreTimeouts) throws(StoreError) {
        let library = try PostgreSQLLibrary.shared()
        let connection = try Self.connect(address, library)
        self.library = library
        self.address = address
        self.timeouts = timeouts
        handle = connection
        serverVersion = Int(c_pq_server_version(library, connection))
    }

    /// - Parameter seconds: how long a reply may take.
    package convenience init(_ address: StoreAddress, deadline seconds: Double) throws(StoreError) {
        try self.init(address, StoreTimeouts(deadline: seconds))
    }

    deinit {
        if let handle { c_pq_finish(library, handle) }
    }

    private static let oldestServer = 130_000

    private static func connect(_ address: StoreAddress, _ library: c_pq_table) throws(StoreError) -> OpaquePointer {
        let connection = address.options.withCStrings { c_pq_connect(library, $0, $1) }
        guard let connection else { throw StoreError(.other, "there is no memory for a connection") }
        let isUsable = c_pq_is_connected(library, connection) != 0 && c_pq_set_nonblocking(library, connection) != 0
        guard isUsable else {
            let message = c_pq_error(library, connection).map { String(cText: $0) } ?? ""
            let needsPassword = c_pq_needs_password(library, connection) != 0
            let usedPassword = c_pq_used_password(library, connection) != 0
            c_pq_finish(library, connection)
            throw .connecting(address, message, needsPassword: needsPassword, usedPassword: usedPassword)
        }
        let version = Int(c_pq_server_version(library, connection))
        guard version >= oldestServer else {
            c_pq_finish(library, connection)
            throw StoreError(
                .other, "the server is PostgreSQL \(version / 10_000); a store needs 13 or newer: \(address)",
                brief: "the server is PostgreSQL \(version / 10_000); a store needs 13 or newer",
                help: "use a newer server")
        }
        return connection
    }

    /// Whether it can no longer be used.
    package var isLost: Bool { handle == nil }

    /// The number of the process that serves the connection, as the first reply has said; a pooler makes one up.
    package var processID: Int64 { handle.map { Int64(c_pq_backend_pid(library, $0)) } ?? 0 }

    /// The server that answers, where the address names several, as in messages.
    package var host: String {
        guard let handle, let host = c_pq_host(library, handle), let port = c_pq_port(library, handle) else {
            return ""
        }
        return "\(String(cText: host)):\(String(cText: port))"
    }

    /// Ends the connection at once; what is under way is rolled back by the server.
    package func close() {
        if let handle { c_pq_finish(library, handle) }
        handle = nil
    }

    /// Runs a statement, and returns all its rows.
    ///
    /// It is never prepared under a name, which poolers do not keep.
    package func query(_ sql: String, _ parameters: [StoreValue] = []) throws(StoreError) -> StoreRows {
        try send(sql, parameters)
        guard let result = try lastResult(of: sql) else { throw lost("the server has not answered a statement") }
        return StoreRows(result)
    }

    /// Runs a statement, and passes its rows on as they come, so that they are never all in memory.
    package func forEachRow(
        _ sql: String, _ parameters: [StoreValue] = [], _ body: (StoreRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        try send(sql, parameters)
        if let handle { _ = c_pq_set_single_row_mode(library, handle) }
        // The rest of the rows has to be read before anything else can be asked, unless the connection is gone.
        var error: StoreError?
        while handle != nil, let result = try nextResult() {
            guard error == nil else { continue }
            do throws(StoreError) {
                try check(result, sql)
                if result.kind == c_pq_row { try body(StoreRow(result, 0)) }
            } catch let first {
                error = first
            }
        }
        if let error { throw error }
    }

    /// Runs several statements without parameters, separated by semicolons.
    package func run(_ script: String) throws(StoreError) {
        let connection = try open()
        guard c_pq_send_script(library, connection, script) != 0 else { throw lost(libraryMessage) }
        try flush()
        _ = try lastResult(of: script)
    }

    /// Runs a body in a transaction, which is rolled back if the body throws.
    ///
    /// Settings go out with each transaction: poolers refuse them as startup parameters, and others would stay on their
    /// connection to the server.
    package func transaction<Result>(
        _ mode: TransactionMode, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let before = timeouts
        if mode == .migrating { timeouts = .none }
        if case .importing(let files) = mode, let statement = timeouts.statement, let deadline = timeouts.deadline {
            let more = Double(files) * 0.002
            timeouts = StoreTimeouts(statement: statement + more, deadline: deadline + more, lock: timeouts.lock)
        }
        defer { timeouts = before }
        let result: Result
        do throws(StoreError) {
            try run(mode.beginning(timeouts))
            result = try body()
        } catch {
            rollBack()
            throw error
        }
        try commit()
        return result
    }

    private func commit() throws(StoreError) {
        do throws(StoreError) {
            try send("COMMIT", [])
            guard let result = try lastResult(of: "COMMIT") else { throw lost("the server has not answered COMMIT") }
            guard result.command == "COMMIT" else {
                throw StoreError(.other, "the database has rolled the transaction back", isConnectionLost: isLost)
            }
        } catch  where error.isConnectionLost {
            throw StoreError(
                error.kind, "the connection was lost during the commit, so the change may be in the store or not",
                help: "run it again: what is there already is left as it is", isConnectionLost: true)
        }
    }

    private func rollBack() {
        guard handle != nil else { return }
        do throws(StoreError) { _ = try query("ROLLBACK") } catch { close() }
    }

    /// Waits until a notification comes on any channel that is listened to.
    ///
    /// - Parameters:
    ///   - milliseconds: how long at most.
    ///   - wakeUp: a descriptor that ends the wait once it is readable; -1 for none.
    /// - Returns: nil if the wait ended otherwise.
    package func waitForNotification(milliseconds: Int, wakeUp: Int32 = -1) throws(StoreError) -> StoreNotification? {
        let end = Self.now + Double(milliseconds) / 1_000
        while true {
            let connection = try open()
            guard c_pq_consume(library, connection) != 0 else { throw lost(libraryMessage) }
            if let notification = c_pq_notification(library, connection) {
                defer { c_pq_free_notification(library, notification) }
                return StoreNotification(notification.pointee)
            }
            var entries = [
                pollfd(fd: c_pq_socket(library, connection), events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
            ]
            let rest = Int32(clamping: Int(((end - Self.now) * 1_000).rounded(.up)))
            guard rest > 0 else { return nil }
            let count = poll(&entries, 2, rest)
            if count < 0, errno != EINTR { throw lost("poll: \(String(cText: strerror(errno)))") }
            if count > 0, entries[1].revents != 0 { return nil }
        }
    }

    private func open() throws(StoreError) -> OpaquePointer {
        guard let handle else {
            throw StoreError(.unreachable, "the connection to the store is closed", isConnectionLost: true)
        }
        return handle
    }

    private func send(_ sql: String, _ parameters: [StoreValue]) throws(StoreError) {
        let connection = try open()
        // Which libpq sends as they are.
        let encoded = parameters.map(\.encoded)
        let starts = encoded.reduce(into: [0]) { $0.append($0[$0.count - 1] + ($1?.count ?? 0)) }
        // A NULL is an address that is missing, so that even empty values need one.
        let buffer = Array(encoded.map { $0 ?? [] }.joined()) + [0]
        let isSent = buffer.withUnsafeBytes { bytes in
            let values = encoded.indices.map { index -> UnsafePointer<CChar>? in
                guard encoded[index] != nil, let start = bytes.baseAddress else { return nil }
                return (start + starts[index]).assumingMemoryBound(to: CChar.self)
            }
            return c_pq_send(
                library, connection, sql, Int32(clamping: parameters.count), parameters.map(\.type.rawValue), values,
                encoded.map { Int32(clamping: $0?.count ?? 0) }, [Int32](repeating: 1, count: parameters.count))
        }
        guard isSent != 0 else { throw lost(libraryMessage) }
        try flush()
    }

    private func flush() throws(StoreError) {
        while true {
            let connection = try open()
            switch c_pq_flush(library, connection) {
            case 0: return
            case 1:
                // A server that answers before it has read everything must be listened to.
                let events = try wait(for: Int16(POLLIN | POLLOUT))
                if events & Int16(POLLIN) != 0, c_pq_consume(library, connection) == 0 { throw lost(libraryMessage) }
            default: throw lost(libraryMessage)
            }
        }
    }

    /// The next result of what was sent; nil after the last.
    private func nextResult() throws(StoreError) -> StoreResult? {
        let connection = try open()
        while c_pq_is_busy(library, connection) != 0 {
            _ = try wait(for: Int16(POLLIN))
            guard c_pq_consume(library, connection) != 0 else { throw lost(libraryMessage) }
        }
        return c_pq_result(library, connection).map { StoreResult($0, library) }
    }

    private func lastResult(of sql: String) throws(StoreError) -> StoreResult? {
        var last: StoreResult?
        var error: StoreError?
        while handle != nil, let result = try nextResult() {
            guard error == nil else { continue }
            do throws(StoreError) { try check(result, sql) } catch let first { error = first }
            last = result
        }
        if let error { throw error }
        return last
    }

    private func check(_ result: StoreResult, _ sql: String) throws(StoreError) {
        switch result.kind {
        case c_pq_done, c_pq_rows, c_pq_row: return
        case c_pq_failed:
            let error = StoreError.answer(result, to: sql, address, libraryMessage: libraryMessage)
            let isConnected = handle.map { c_pq_is_connected(library, $0) != 0 } ?? false
            guard error.isConnectionLost || !isConnected else { throw error }
            close()
            throw error.on(lostConnection: true)
        default:
            // As for COPY, which is never asked for: what comes next cannot be known.
            close()
            throw StoreError(
                .other, "the server has answered with an unexpected kind of result", isConnectionLost: true)
        }
    }

    /// Waits until the socket is ready; the deadline begins anew with each time it is.
    private func wait(for events: Int16) throws(StoreError) -> Int16 {
        let connection = try open()
        let end = timeouts.deadline.map { Self.now + $0 }
        while true {
            var entry = pollfd(fd: c_pq_socket(library, connection), events: events, revents: 0)
            let rest = end.map { Int32(clamping: Int((max(0, $0 - Self.now) * 1_000).rounded(.up))) } ?? -1
            let count = poll(&entry, 1, rest)
            if count > 0 { return entry.revents & Int16(POLLERR | POLLHUP) != 0 ? events : entry.revents }
            if count < 0, errno != EINTR { throw lost("poll: \(String(cText: strerror(errno)))") }
            if count == 0, rest == 0 {
                close()
                let problem =
                    "the database has not answered for \(counted(timeouts.deadline.map { Int($0.rounded()) } ?? 0, "second"))"
                throw StoreError(
                    .timeout, "\(problem): \(address)", brief: problem,
                    help: "look whether its server is stopped, overloaded, or cut off from this machine",
                    isConnectionLost: true)
            }
        }
    }

    private var libraryMessage: String {
        guard let handle, let text = c_pq_error(library, handle) else { return "" }
        return String(cText: text)
    }

    private func lost(_ reason: String) -> StoreError {
        close()
        return .lost(address, reason)
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}

extension StoreConnection? {
    /// The connection of a thread that makes it anew whenever it is lost.
    func required() throws(StoreError) -> StoreConnection {
        if let self { return self }
        throw StoreError(.unreachable, "there is no connection to the store", isConnectionLost: true)
    }
}
