internal import BoundedText
internal import CPostgreSQL
package import SiteStore

/// The rows that a statement has returned, in memory as libpq has received them.
package struct StoreRows: RandomAccessCollection {
    private let result: StoreResult
    /// The number of rows that the statement has inserted, changed or deleted.
    package let changed: Int
    package let endIndex: Int

    init(_ result: StoreResult) {
        self.result = result
        endIndex = result.count
        changed = result.changed
    }

    package var startIndex: Int { 0 }

    package subscript(_ index: Int) -> StoreRow { StoreRow(result, index) }
}

/// A row of a result, whose values are decoded when they are asked for, by the number of their column from 0.
package struct StoreRow {
    private let result: StoreResult
    private let index: Int

    init(_ result: StoreResult, _ index: Int) {
        self.result = result
        self.index = index
    }

    /// Text, and what can be shown as text: names, UUIDs in lowercase, JSON, numbers; nil for NULL.
    ///
    /// - Throws: `StoreError` of the kind `damaged` for values of other types, as all others here.
    package func optionalText(_ column: Int) throws(StoreError) -> String? {
        try value(column) { type, bytes in
            switch type {
            case .text, .name, .varchar, .json, .character, .unknown: String(text: bytes)
            // The first byte is the version of the form.
            case .jsonb: String(text: bytes.dropFirst())
            case .uuid: Self.uuid(bytes)
            case .int2, .int4, .int8, .object: Self.integer(type, bytes).map { String($0) }
            default: nil
            }
        }
    }

    /// A whole number of any size; nil for NULL.
    package func optionalInteger(_ column: Int) throws(StoreError) -> Int64? {
        try value(column, Self.integer)
    }

    /// The bytes of a `bytea`; nil for NULL.
    package func optionalBytes(_ column: Int) throws(StoreError) -> [UInt8]? {
        try value(column) { type, bytes in type == .bytes ? Array(bytes) : nil }
    }

    /// A `timestamptz` in microseconds since 1970, as far as it is in the years 1 to 9999; nil for NULL.
    package func optionalTime(_ column: Int) throws(StoreError) -> Int64? {
        try value(column) { type, bytes in
            guard type == .time, bytes.count == 8 else { return nil }
            let (time, isOver) = Self.number(bytes).addingReportingOverflow(PostgreSQLType.epoch)
            return isOver ? Self.times.upperBound : min(max(time, Self.times.lowerBound), Self.times.upperBound)
        }
    }

    /// The times that have a date of four digits.
    private static let times: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    package func text(_ column: Int) throws(StoreError) -> String { try present(optionalText(column), column) }
    package func integer(_ column: Int) throws(StoreError) -> Int64 { try present(optionalInteger(column), column) }
    package func bytes(_ column: Int) throws(StoreError) -> [UInt8] { try present(optionalBytes(column), column) }
    package func time(_ column: Int) throws(StoreError) -> Int64 { try present(optionalTime(column), column) }

    package func boolean(_ column: Int) throws(StoreError) -> Bool {
        let value = try value(column) { type, bytes in type == .bool ? bytes.first.map { $0 != 0 } : nil }
        return try present(value, column)
    }

    /// A `text[]`; empty for NULL.
    package func textArray(_ column: Int) throws(StoreError) -> [String] {
        try value(column) { type, bytes in type == .textArray ? Self.texts(bytes) : nil } ?? []
    }

    private func present<Value>(_ value: Value?, _ column: Int) throws(StoreError) -> Value {
        guard let value else {
            throw StoreError(.damaged, "the store has no value in column \(column + 1) of a result")
        }
        return value
    }

    private func value<Value>(
        _ column: Int, _ decode: (PostgreSQLType, UnsafeRawBufferPointer) -> Value?
    ) throws(StoreError) -> Value? {
        guard let bytes = result.bytes(row: index, column: column) else { return nil }
        guard let type = result.type(column), let value = decode(type, bytes) else {
            throw StoreError(
                .damaged, "the store has a value of an unexpected type in column \(column + 1) of a result")
        }
        return value
    }

    private static func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        bytes.reduce(Int64(bytes.first.map { $0 & 0x80 == 0 ? 0 : -1 } ?? 0)) { $0 << 8 | Int64($1) }
    }

    private static func integer(_ type: PostgreSQLType, _ bytes: UnsafeRawBufferPointer) -> Int64? {
        switch type {
        case .int2, .int4, .int8: number(bytes)
        case .object: bytes.reduce(0) { $0 << 8 | Int64($1) }
        default: nil
        }
    }

    private static func uuid(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count == 16 else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(text: text)
    }

    private static func texts(_ bytes: UnsafeRawBufferPointer) -> [String]? {
        var rest = bytes[...]
        func next(_ count: Int) -> Slice<UnsafeRawBufferPointer>? {
            guard count >= 0, rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func int() -> Int? { next(4).map { Int(Int32(truncatingIfNeeded: $0.reduce(0) { $0 << 8 | Int($1) })) } }
        guard let dimensions = int(), next(8) != nil else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count = int(), next(4) != nil, count >= 0 else { return nil }
        var list: [String] = []
        for _ in 0..<count {
            guard let length = int() else { return nil }
            if length < 0 { continue }
            guard let text = next(length) else { return nil }
            list.append(String(text: text))
        }
        return list
    }
}

/// A result of libpq, which is given back when nobody has it any more.
final class StoreResult {
    private let library: c_pq_table
    let pointer: OpaquePointer
    let count: Int
    private let columns: Int

    init(_ pointer: OpaquePointer, _ library: c_pq_table) {
        self.pointer = pointer
        self.library = library
        count = Int(c_pq_count(library, pointer))
        columns = Int(c_pq_columns(library, pointer))
    }

    deinit { c_pq_clear(library, pointer) }

    var kind: c_pq_kind { c_pq_kind_of(library, pointer) }
    var changed: Int { c_pq_changed(library, pointer).flatMap { Int(String(cText: $0)) } ?? 0 }
    var command: String { c_pq_command(library, pointer).map { String(cText: $0) } ?? "" }
    var state: String? { c_pq_sqlstate(library, pointer).map { String(cText: $0) } }
    var message: String { c_pq_message(library, pointer).map { String(cText: $0) } ?? "" }
    var constraint: String? { c_pq_constraint(library, pointer).map { String(cText: $0) } }

    func type(_ column: Int) -> PostgreSQLType? {
        (0..<columns).contains(column) ? PostgreSQLType(rawValue: c_pq_type(library, pointer, Int32(column))) : nil
    }

    /// The bytes of a value, as long as the result lives; nil for NULL, and where there is none.
    func bytes(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        guard (0..<count).contains(row), (0..<columns).contains(column) else { return nil }
        let (row, column) = (Int32(row), Int32(column))
        guard c_pq_is_null(library, pointer, row, column) == 0, let start = c_pq_value(library, pointer, row, column)
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(c_pq_length(library, pointer, row, column)))
    }
}
