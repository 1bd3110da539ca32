internal import BoundedText

/// A binary property list (`bplist00`), of which only what is asked for is looked up.
///
/// Objects refer to others by number, and a table says where each begins. A file can refer in circles or to one object
/// many times; nothing is followed here but the way to a key, so that such a file costs nothing.
struct BinaryPropertyList {
    /// The number of an object in the table.
    struct Object: Equatable {
        fileprivate let number: Int
    }

    private let bytes: [UInt8]
    /// The name of the file in messages.
    private let path: String
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    private let table: Int

    /// Longer ones are not read, in bytes; a file can name the same one thousands of times.
    static let longestString = 1_024

    private static let mark = Array("bplist0".utf8)
    private static let trailerLength = 32

    static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

    init(_ bytes: [UInt8], path: String) throws(AppProjectError) {
        let trailer = bytes.count - Self.trailerLength
        guard Self.isOne(bytes), trailer >= Self.mark.count + 1 else { throw .damagedList(path) }
        self.bytes = bytes
        self.path = path
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes, at: trailer + 8, size: 8),
            let top = Self.number(bytes, at: trailer + 16, size: 8),
            let table = Self.number(bytes, at: trailer + 24, size: 8),
            table <= trailer, count <= (trailer - table) / offsetSize, top < count
        else { throw .damagedList(path) }
        (self.count, self.top, self.table) = (count, top, table)
    }

    func root() throws(AppProjectError) -> Object {
        _ = try start(of: Object(number: top))
        return Object(number: top)
    }

    func isDictionary(_ object: Object) -> Bool { (try? kind(of: object)) == 0xD }

    /// Nil if it is neither true nor false.
    func boolean(_ object: Object) -> Bool? {
        guard let start = try? start(of: object) else { return nil }
        return bytes[start] == 0x09 ? true : bytes[start] == 0x08 ? false : nil
    }

    /// In seconds since 1970; nil if it is not a date that a file may have.
    func date(_ object: Object) throws(AppProjectError) -> Int64? {
        let start = try start(of: object)
        guard bytes[start] == 0x33 else { return nil }
        guard start + 9 <= bytes.count else { throw .damagedList(path) }
        let bits = bytes[(start + 1)..<(start + 9)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        // The years -300 to 300 around 2001, when dates of Apple begin.
        let seconds = Double(bitPattern: bits)
        guard seconds.magnitude < 300 * 366 * 86_400 else { return nil }
        return Int64(seconds.rounded(.down)) + 978_307_200
    }

    /// Nil if it is not a string.
    func string(_ object: Object) throws(AppProjectError) -> String? {
        let kind = try kind(of: object)
        guard kind == 0x5 || kind == 0x6 else { return nil }
        let (count, start) = try length(of: object)
        guard count <= Self.longestString else { throw .longString(path) }
        let size = kind == 0x5 ? count : 2 * count
        guard size <= bytes.count - start else { throw .damagedList(path) }
        if kind == 0x5 { return String(text: bytes[start..<start + size]) }
        // A text is made of an array many times faster than of a lazy collection.
        return String(units: units(start, count))
    }

    /// Nil if it is not an array.
    func elements(of object: Object, most: Int) throws(AppProjectError) -> [Object]? {
        guard try kind(of: object) == 0xA else { return nil }
        let (count, start) = try length(of: object)
        guard count <= (bytes.count - start) / referenceSize else { throw .damagedList(path) }
        guard count <= most else { throw .tooManyDomains(path) }
        var elements: [Object] = []
        for index in 0..<count { elements.append(try reference(at: start + index * referenceSize)) }
        return elements
    }

    /// The value of a key; of several equal ones the last. Nil if there is none, or it is not a dictionary.
    func member(_ key: String, of object: Object) throws(AppProjectError) -> Object? {
        guard try kind(of: object) == 0xD else { return nil }
        let (count, start) = try length(of: object)
        guard count <= (bytes.count - start) / (2 * referenceSize) else { throw .damagedList(path) }
        let name = Array(key.utf8)
        for index in (0..<count).reversed() {
            let candidate = try reference(at: start + index * referenceSize)
            if try isString(candidate, name) {
                return try reference(at: start + (count + index) * referenceSize)
            }
        }
        return nil
    }

    /// Whether it is a string of these ASCII characters; compares no more bytes than they are.
    private func isString(_ object: Object, _ name: [UInt8]) throws(AppProjectError) -> Bool {
        let kind = try kind(of: object)
        guard kind == 0x5 || kind == 0x6 else { return false }
        let (count, start) = try length(of: object)
        guard count == name.count else { return false }
        guard (kind == 0x5 ? count : 2 * count) <= bytes.count - start else { throw .damagedList(path) }
        if kind == 0x5 { return bytes[start..<start + count].elementsEqual(name) }
        return units(start, count).elementsEqual(name.lazy.map { UInt16($0) })
    }

    private func units(_ start: Int, _ count: Int) -> [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(count)
        for index in 0..<count {
            units.append(UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1]))
        }
        return units
    }

    private func reference(at offset: Int) throws(AppProjectError) -> Object {
        guard let number = Self.number(bytes, at: offset, size: referenceSize), number < count else {
            throw .damagedList(path)
        }
        return Object(number: number)
    }

    /// Where an object begins.
    private func start(of object: Object) throws(AppProjectError) -> Int {
        guard let start = Self.number(bytes, at: table + object.number * offsetSize, size: offsetSize), start < table
        else { throw .damagedList(path) }
        return start
    }

    private func kind(of object: Object) throws(AppProjectError) -> UInt8 { bytes[try start(of: object)] >> 4 }

    /// The number of elements of an object, and the offset of the first one.
    private func length(of object: Object) throws(AppProjectError) -> (count: Int, start: Int) {
        let start = try start(of: object)
        let short = Int(bytes[start] & 0x0F)
        guard short == 0x0F else { return (short, start + 1) }
        // The number follows as an object of its own.
        guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 0x1, bytes[start + 1] & 0x0F <= 3 else {
            throw .damagedList(path)
        }
        let size = 1 << Int(bytes[start + 1] & 0x0F)
        guard let count = Self.number(bytes, at: start + 2, size: size), count <= bytes.count else {
            throw .damagedList(path)
        }
        return (count, start + 2 + size)
    }

    /// A number that is not negative, big endian; nil if it is too large or not in the bytes.
    private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        return Int(exactly: bytes[offset..<offset + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}
