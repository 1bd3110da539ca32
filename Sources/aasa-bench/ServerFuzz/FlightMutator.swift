/// Changes what a client of TLS sends: bytes, and whole records.
enum FlightMutator {
    static func mutate(_ flight: inout [UInt8], _ random: inout SplitMix64) {
        if random.chance(50) {
            var records = records(flight)
            change(&records, &random)
            flight = records.flatMap { $0 }
        } else {
            changeBytes(&flight, &random)
        }
    }

    /// The records of a flight; what is none stands in the last.
    static func records(_ flight: [UInt8]) -> [[UInt8]] {
        var records: [[UInt8]] = []
        var rest = flight[...]
        while !rest.isEmpty {
            let header = Array(rest.prefix(5))
            let count = header.count < 5 ? rest.count : 5 + Int(header[3]) << 8 + Int(header[4])
            records.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return records
    }

    private static func change(_ records: inout [[UInt8]], _ random: inout SplitMix64) {
        guard !records.isEmpty else { return }
        let place = random.number(0...records.count - 1)
        switch random.number(0...6) {
        case 0: records.remove(at: place)
        case 1: records.insert(records[place], at: random.number(0...records.count))
        case 2: records.swapAt(place, random.number(0...records.count - 1))
        case 3: records.insert(random.pick(strangers), at: place)
        case 4: records[place] = split(records[place], &random)
        case 5 where records[place].count > 5:
            records[place][random.number(0...4)] = random.pick([0, 1, 3, 4, 20, 22, 23, 0xFF])
        default: changeBytes(&records[place], &random)
        }
    }

    /// The same content in records of a few bytes, as one is free to send a handshake.
    private static func split(_ record: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        guard record.count > 5 else { return record }
        let size = random.pick([1, 2, 7, 50, 200])
        return stride(from: 5, to: record.count, by: size).flatMap { start -> [UInt8] in
            let part = record[start..<min(record.count, start + size)]
            return record[0..<3] + [0, UInt8(truncatingIfNeeded: part.count)] + part
        }
    }

    private static func changeBytes(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let start = random.number(0...bytes.count)
        let end = min(bytes.count, start + random.number(0...40))
        switch random.number(0...6) {
        case 0 where start < bytes.count: bytes[start] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1 where start < bytes.count: bytes[start] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
        case 2: bytes.removeSubrange(start...)
        case 3: bytes.removeSubrange(start..<end)
        case 4: bytes.insert(contentsOf: bytes[start..<end], at: random.number(0...bytes.count))
        case 5: bytes += (0..<random.number(1...60)).map { _ in UInt8.random(in: 0...255, using: &random) }
        default:
            for _ in 0..<4 where !bytes.isEmpty {
                bytes[random.number(0...bytes.count - 1)] = UInt8.random(in: 0...255, using: &random)
            }
        }
    }

    /// Records that may come from anybody, at any time.
    private static let strangers: [[UInt8]] = [
        [20, 3, 3, 0, 1, 1], [20, 3, 3, 0, 0], [20, 3, 3, 0, 2, 1, 1], [21, 3, 3, 0, 2, 1, 0], [21, 3, 3, 0, 2, 1, 90],
        [21, 3, 3, 0, 2, 1, 100], [21, 3, 3, 0, 2, 2, 40], [21, 3, 3, 0, 1, 1], [21, 3, 3, 0, 4, 1, 90, 1, 90],
        [22, 3, 3, 0, 0], [22, 3, 1, 0, 4, 0, 0, 0, 0], [22, 3, 3, 0, 4, 14, 0, 0, 0],
        [22, 3, 3, 0, 4, 1, 0xFF, 0xFF, 0xFF],
        [22, 3, 3, 0, 5, 24, 0, 0, 1, 1], [22, 3, 3, 0x40, 1] + [UInt8](repeating: 1, count: 16_385), [23, 3, 3, 0, 0],
        [23, 3, 3, 0, 1, 0], [24, 3, 3, 0, 3, 1, 0x40, 0], [0x80, 0x2E, 1, 3, 3], Array("GET / HTTP/1.1\r\n\r\n".utf8),
        Array("PUT /".utf8), [22, 2, 0, 0, 1, 1], [22, 3, 3, 0xFF, 0xFF],
    ]
}
