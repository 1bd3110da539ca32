internal import BoundedText
internal import CSQLite
internal import Glibc
internal import SystemSupport

/// The SQLite library, opened when a database is first used. Programs that use none neither load nor need it.
enum SQLiteLibrary {
    /// The functions of the library, which stay for good.
    static func shared() throws(MissingLibrary) -> c_sqlite_table { try opened.get() }

    private nonisolated(unsafe) static let opened = Result { () throws(MissingLibrary) in
        try OpenedLibrary.functions("libsqlite3.so.0", name: "libsqlite3", package: "libsqlite3-0", into: c_sqlite()) {
            c_sqlite_open($0, $1).map { String(cText: $0) }
        }
    }
}

/// A value in a row of a database.
enum SQLiteValue: Equatable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

// The values of a row that is of the types it was written with; any other is damage.
extension SQLiteValue {
    var integer: Int64 {
        get throws(SQLiteError) { if case .integer(let number) = self { number } else { throw .unexpectedValue } }
    }

    var flag: Bool { get throws(SQLiteError) { try integer != 0 } }

    var text: String {
        get throws(SQLiteError) { if case .text(let text) = self { text } else { throw .unexpectedValue } }
    }

    var optionalText: String? { get throws(SQLiteError) { self == .null ? nil : try text } }

    var bytes: [UInt8] {
        get throws(SQLiteError) { if case .bytes(let bytes) = self { bytes } else { throw .unexpectedValue } }
    }

    var digest: ContentDigest {
        get throws(SQLiteError) { if let digest = ContentDigest(try bytes) { digest } else { throw .unexpectedValue } }
    }

    static func flag(_ isSet: Bool) -> SQLiteValue { .integer(isSet ? 1 : 0) }

    static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }

    static func digest(_ digest: ContentDigest) -> SQLiteValue { .bytes(digest.bytes) }
}

/// An error of SQLite.
struct SQLiteError: Error {
    /// Whether the database is not what was written; otherwise the system or the disk is the reason.
    let isDamage: Bool
    /// One clause.
    let reason: String

    /// Damage of a database that SQLite does not see.
    static func damage(_ reason: String) -> SQLiteError { SQLiteError(isDamage: true, reason: reason) }

    static var unexpectedValue: SQLiteError { .damage("a value is of a type that is never written") }
}

/// A SQLite database, which one thread uses at a time.
final class SQLiteDatabase {
    private let library: c_sqlite_table
    private let database: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Codes that say nothing about the database itself.
    private static let outside: Set<Int32> = [
        SQLITE_PERM, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_INTERRUPT, SQLITE_IOERR,
        SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_NOLFS, SQLITE_PROTOCOL,
    ]

    /// Opens a file that is there; an empty one is an empty database.
    init(_ path: String, _ library: c_sqlite_table) throws(SQLiteError) {
        var opened: OpaquePointer?
        errno = 0
        let code = library.pointee.open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let database = opened else { throw SQLiteError(isDamage: false, reason: "out of memory") }
        (self.library, self.database) = (library, database)
        guard code == SQLITE_OK else { throw error(code) }
    }

    deinit {
        for statement in statements.values { _ = library.pointee.finalize(statement) }
        _ = library.pointee.close_v2(database)
    }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - values: of its parameters, in their order.
    ///   - body: is called with the values of each row.
    func run(
        _ sql: String, _ values: [SQLiteValue] = [], _ body: ([SQLiteValue]) throws(SQLiteError) -> Void = { _ in }
    ) throws(SQLiteError) {
        // What it is after an error is the reason, as far as there is one.
        errno = 0
        let statement = try prepared(sql)
        defer { _ = library.pointee.reset(statement) }
        for (index, value) in values.enumerated() {
            let code = bind(value, to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
        while true {
            errno = 0
            switch library.pointee.step(statement) {
            case SQLITE_ROW: try body(row(statement))
            case SQLITE_DONE: return
            case let code: throw error(code)
            }
        }
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        let code = library.pointee.prepare_v2(database, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let statement = prepared else { throw error(code) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: library.pointee.bind_null(statement, index)
        case .integer(let number): library.pointee.bind_int64(statement, index, number)
        case .text(let text):
            c_sqlite_bind_text(library, statement, index, text, Int32(clamping: text.utf8.count))
        case .bytes(let bytes):
            c_sqlite_bind_blob(library, statement, index, bytes, Int32(clamping: bytes.count))
        }
    }

    private func row(_ statement: OpaquePointer) throws(SQLiteError) -> [SQLiteValue] {
        let count = library.pointee.column_count(statement)
        var values: [SQLiteValue] = []
        values.reserveCapacity(Int(count))
        for index in 0..<count { values.append(try value(statement, index)) }
        return values
    }

    private func value(_ statement: OpaquePointer, _ index: Int32) throws(SQLiteError) -> SQLiteValue {
        switch library.pointee.column_type(statement, index) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(library.pointee.column_int64(statement, index))
        case SQLITE_BLOB: return .bytes(Array(bytes(library.pointee.column_blob(statement, index), statement, index)))
        case SQLITE_TEXT:
            let start = UnsafeRawPointer(library.pointee.column_text(statement, index))
            guard let text = String(validText: bytes(start, statement, index)) else {
                throw .damage("a text is not UTF-8")
            }
            return .text(text)
        default: throw .unexpectedValue
        }
    }

    private func bytes(_ start: UnsafeRawPointer?, _ statement: OpaquePointer, _ index: Int32) -> UnsafeRawBufferPointer
    {
        UnsafeRawBufferPointer(start: start, count: Int(library.pointee.column_bytes(statement, index)))
    }

    private func error(_ code: Int32) -> SQLiteError {
        let number = errno
        let code = code & 0xFF
        let message = library.pointee.errmsg(database).map { String(cText: $0) } ?? "error \(code)"
        let reason =
            switch code {
            case SQLITE_FULL: SystemError(call: "write", number: ENOSPC).reason
            case SQLITE_IOERR where number != 0, SQLITE_CANTOPEN where number != 0:
                SystemError(call: "write", number: number).reason
            default: message
            }
        return SQLiteError(isDamage: !Self.outside.contains(code), reason: reason)
    }
}
