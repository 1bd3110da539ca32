/// A table of a database whose rows each end in a checksum of their values.
struct CheckedTable: Sendable {
    let name: String
    let keyCount: Int
    let hasContents: Bool
    // The statements about it.
    let create, insert, all, old, delete: String

    /// - Parameters:
    ///   - key: the columns that tell the rows apart.
    ///   - hasContents: whether rows have contents: their SHA-256 and number are the columns after the key.
    ///   - columns: the others.
    init(_ name: String, key: [String], hasContents: Bool = false, _ columns: [String]) {
        let all = key + (hasContents ? ["sha256", "contents"] : []) + columns + ["checksum"]
        let (list, names) = (all.joined(separator: ", "), key.joined(separator: ", "))
        let condition = key.map { "\($0) = ?" }.joined(separator: " AND ")
        (self.name, keyCount, self.hasContents) = (name, key.count, hasContents)
        create = "CREATE TABLE \(name) (\(list), PRIMARY KEY (\(names))) WITHOUT ROWID"
        insert = "INSERT OR REPLACE INTO \(name) VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))"
        self.all = "SELECT \(list) FROM \(name) ORDER BY \(names)"
        old = "SELECT checksum\(hasContents ? ", sha256, contents" : "") FROM \(name) WHERE \(condition)"
        delete = "DELETE FROM \(name) WHERE \(condition)"
    }

    /// The checksum of the values of a row (FNV-1a): a byte that changes changes it.
    func checksum(_ values: [SQLiteValue]) -> Int64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        func add(_ kind: UInt8, _ number: Int64) {
            add(kind)
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> Int64(shift))) }
        }
        for byte in name.utf8 { add(byte) }
        for value in values {
            switch value {
            case .null: add(0)
            case .integer(let number): add(1, number)
            case .text(let text):
                add(2, Int64(text.utf8.count))
                for byte in text.utf8 { add(byte) }
            case .bytes(let bytes):
                add(3, Int64(bytes.count))
                for byte in bytes { add(byte) }
            }
        }
        return Int64(bitPattern: sum)
    }
}
