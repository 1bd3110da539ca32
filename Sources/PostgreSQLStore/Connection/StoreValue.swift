internal import CPostgreSQL

/// A parameter of a statement, `$1` and on, with its type.
package enum StoreValue: Sendable {
    case text(String?)
    case bytes([UInt8]?)
    case integer(Int64?)
    case boolean(Bool)
    case textArray([String?])
    case integerArray([Int64])
    case bytesArray([[UInt8]?])
    /// A point in time in microseconds since 1970, as `timestamptz`.
    case time(Int64?)

    /// The type's number in the catalogue of PostgreSQL (pg_type.dat), which never changes.
    var type: PostgreSQLType {
        switch self {
        case .text: .text
        case .bytes: .bytes
        case .integer: .int8
        case .boolean: .bool
        case .textArray: .textArray
        case .integerArray: .int8Array
        case .bytesArray: .bytesArray
        case .time: .time
        }
    }

    /// The binary form on the wire; nil for NULL.
    var encoded: [UInt8]? {
        switch self {
        case .text(let text): text.map { Array($0.utf8) }
        case .bytes(let bytes): bytes
        case .integer(let number): number.map(Self.bigEndian)
        case .boolean(let isTrue): [isTrue ? 1 : 0]
        case .textArray(let list): Self.array(list.map { $0.map { Array($0.utf8) } }, of: .text)
        case .integerArray(let list): Self.array(list.map(Self.bigEndian), of: .int8)
        case .bytesArray(let list): Self.array(list, of: .bytes)
        case .time(let time): time.map { Self.bigEndian($0 &- PostgreSQLType.epoch) }
        }
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Dimensions, whether there are NULLs, the type, then length and first index, and the elements with their lengths.
    private static func array(_ elements: [[UInt8]?], of type: PostgreSQLType) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(elements.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
        bytes += bigEndian(Int32(elements.isEmpty ? 0 : 1))
        bytes += bigEndian(Int32(elements.contains { $0 == nil } ? 1 : 0))
        bytes += bigEndian(Int32(type.rawValue))
        guard !elements.isEmpty else { return bytes }
        bytes += bigEndian(Int32(clamping: elements.count)) + bigEndian(Int32(1))
        for element in elements {
            bytes += bigEndian(Int32(clamping: element?.count ?? -1))
            bytes += element ?? []
        }
        return bytes
    }
}

/// The types that are sent and received, by their numbers in the catalogue of PostgreSQL (pg_type.dat).
enum PostgreSQLType: UInt32 {
    case bool = 16
    case bytes = 17
    case character = 18
    case name = 19
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case object = 26
    case json = 114
    case bytesArray = 1001
    case textArray = 1009
    case int8Array = 1016
    case varchar = 1043
    case time = 1184
    case unknown = 705
    case uuid = 2950
    case jsonb = 3802

    /// PostgreSQL's point in time 0, 2000-01-01, in microseconds since 1970.
    static let epoch: Int64 = 946_684_800_000_000
}
