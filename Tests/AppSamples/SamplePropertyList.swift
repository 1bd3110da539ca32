/// Writes binary property lists.
public indirect enum SamplePropertyList: Sendable {
    case string(String)
    case boolean(Bool)
    /// Seconds since 2001.
    case date(Double)
    case data([UInt8])
    case array([SamplePropertyList])
    case dictionary([(String, SamplePropertyList)])

    /// The file, with references of two bytes and offsets of four.
    public var bytes: [UInt8] {
        var objects: [[UInt8]] = []
        let top = add(to: &objects)
        return Self.file(objects, top: top)
    }

    /// A file of objects as they are; those that refer to others do it by their numbers, in two bytes each.
    public static func file(_ objects: [[UInt8]], top: Int = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += big(offset, 4) }
        return bytes + [0, 0, 0, 0, 0, 0, 4, 2] + big(objects.count, 8) + big(top, 8) + big(table, 8)
    }

    /// The head of an object: its kind and how many elements it has.
    public static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0x0F, 0x12] + big(count, 4)
    }

    public static func big(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func add(to objects: inout [[UInt8]]) -> Int {
        let index = objects.count
        objects.append([])
        switch self {
        case .string(let text) where text.utf8.allSatisfy({ $0 < 0x80 }):
            objects[index] = Self.head(0x5, text.utf8.count) + text.utf8
        case .string(let text):
            objects[index] = Self.head(0x6, text.utf16.count) + text.utf16.flatMap { Self.big(Int($0), 2) }
        case .boolean(let value): objects[index] = [value ? 0x09 : 0x08]
        case .date(let seconds): objects[index] = [0x33] + Self.big(Int(bitPattern: UInt(seconds.bitPattern)), 8)
        case .data(let data): objects[index] = Self.head(0x4, data.count) + data
        case .array(let elements):
            let numbers = elements.map { $0.add(to: &objects) }
            objects[index] = Self.head(0xA, numbers.count) + numbers.flatMap { Self.big($0, 2) }
        case .dictionary(let members):
            let keys = members.map { SamplePropertyList.string($0.0).add(to: &objects) }
            let values = members.map { $0.1.add(to: &objects) }
            objects[index] = Self.head(0xD, keys.count) + (keys + values).flatMap { Self.big($0, 2) }
        }
        return index
    }
}
