import FuzzingSupport
import TLSSamples

/// Changes the fields and extensions of a client hello (RFC 8446, section 4.1.2), with all lengths right again.
enum HelloMutator {
    private struct Hello {
        /// Version and random number.
        var start: [UInt8]
        var session: [UInt8]
        var suites: [UInt8]
        var compressions: [UInt8]
        var extensions: [(type: [UInt8], data: [UInt8])]
    }

    /// Leaves alone what is no record with a client hello.
    static func mutate(_ flight: inout [UInt8], _ random: inout SplitMix64) {
        guard var hello = read(flight) else { return }
        for _ in 0..<random.number(1...3) { change(&hello, &random) }
        flight = write(hello)
    }

    private static func change(_ hello: inout Hello, _ random: inout SplitMix64) {
        let place = hello.extensions.isEmpty ? 0 : random.number(0...hello.extensions.count - 1)
        let hasAny = !hello.extensions.isEmpty
        switch random.number(0...11) {
        case 0: hello.session = noise(random.pick([0, 1, 31, 32, 33, 255]), &random)
        case 1: hello.suites = noise(random.pick([0, 1, 2, 3, 400]), &random)
        case 2: hello.suites += random.pick([[0x56, 0x00], [0x00, 0xFF], [0x0A, 0x0A]])
        case 3: hello.compressions = random.pick([[], [1], [0, 1], [UInt8](repeating: 0, count: 255)])
        case 4: hello.start[random.number(0...1)] = random.pick([0, 2, 3, 4, 0xFE])
        case 5 where hasAny: hello.extensions.remove(at: place)
        case 6 where hasAny: hello.extensions.append(hello.extensions[place])
        case 7 where hasAny: hello.extensions.swapAt(place, random.number(0...hello.extensions.count - 1))
        case 8 where hasAny: hello.extensions[place].data = noise(random.pick([0, 1, 2, 5, 60, 900]), &random)
        case 9 where hasAny:
            let types: [UInt8] = [0, 1, 5, 10, 11, 13, 16, 21, 22, 23, 35, 41, 42, 43, 44, 45, 49, 50, 51, 57]
            hello.extensions[place].type = [random.pick([0, 0, 0, 0xFF]), random.pick(types)]
        case 10: hello.extensions.append(([0, 0], serverName(&random)))
        default:
            guard hasAny, !hello.extensions[place].data.isEmpty else { return }
            let count = hello.extensions[place].data.count
            hello.extensions[place].data[random.number(0...count - 1)] = random.pick([0, 1, 2, 3, 4, 0x7F, 0xFF])
        }
    }

    private static func serverName(_ random: inout SplitMix64) -> [UInt8] {
        let name = random.pick([
            [], Array("localhost".utf8), Array("LOCALHOST.".utf8), [0], Array("*.example".utf8), [0x80, 0xFF],
            [UInt8](repeating: 97, count: 255), [UInt8](repeating: 97, count: 256), Array("a\0b".utf8),
            [UInt8](repeating: 46, count: 9),
        ])
        let entry = [random.pick([0, 0, 0, 1])] + vector(name, 2)
        return vector(random.chance(90) ? entry : entry + entry, 2)
    }

    private static func noise(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in random.byte() }
    }

    private static func read(_ flight: [UInt8]) -> Hello? {
        guard flight.count > 9 + 34, flight[0] == 22, flight[5] == 1 else { return nil }
        var rest = flight.dropFirst(9)
        let start = Array(rest.prefix(34))
        rest = rest.dropFirst(34)
        guard let session = take(1, &rest), let suites = take(2, &rest), let compressions = take(1, &rest),
            var all = take(2, &rest)?[...]
        else { return nil }
        var extensions: [(type: [UInt8], data: [UInt8])] = []
        while all.count >= 4 {
            let type = Array(all.prefix(2))
            all = all.dropFirst(2)
            guard let data = take(2, &all) else { return nil }
            extensions.append((type, data))
        }
        return Hello(start: start, session: session, suites: suites, compressions: compressions, extensions: extensions)
    }

    /// A vector whose length stands before it in so many bytes.
    private static func take(_ lengthBytes: Int, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.count >= lengthBytes else { return nil }
        let count = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(lengthBytes)
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    private static func vector(_ bytes: [UInt8], _ lengthBytes: Int) -> [UInt8] {
        (0..<lengthBytes).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * (lengthBytes - 1 - $0))) } + bytes
    }

    private static func write(_ hello: Hello) -> [UInt8] {
        let extensions = hello.extensions.flatMap { $0.type + vector($0.data, 2) }
        let body =
            hello.start + vector(hello.session, 1) + vector(hello.suites, 2) + vector(hello.compressions, 1)
            + vector(extensions, 2)
        return [22, 3, 1] + vector([1] + vector(body, 3), 2)
    }
}

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
        case 0 where start < bytes.count: bytes[start] ^= 1 << random.number(below: 8)
        case 1 where start < bytes.count: bytes[start] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
        case 2: bytes.removeSubrange(start...)
        case 3: bytes.removeSubrange(start..<end)
        case 4: bytes.insert(contentsOf: bytes[start..<end], at: random.number(0...bytes.count))
        case 5: bytes += (0..<random.number(1...60)).map { _ in random.byte() }
        default:
            for _ in 0..<4 where !bytes.isEmpty {
                bytes[random.number(0...bytes.count - 1)] = random.byte()
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

/// Makes records of a client after its handshake, encrypted with the right keys: what only a client that has shaken hands
/// can send.
enum RecordMaker {
    /// - Returns: the record, and the text that it adds to the stream.
    static func next(
        _ sealer: inout SampleSealer, isTLS13: Bool, _ random: inout SplitMix64
    ) -> (record: [UInt8], text: [UInt8]) {
        switch random.number(0...9) {
        case 0...3:
            let text = (0..<random.pick([1, 1, 80, 500, 16_384])).map { UInt8(truncatingIfNeeded: $0) }
            let padding = isTLS13 && text.count < 1_000 ? random.pick([0, 0, 1, 255, 10_000]) : 0
            return (sealer.seal(text, padding: padding), text)
        case 4:
            let count = random.pick([1, 1, 31, 33, 100])
            return ((0..<count).flatMap { _ in sealer.seal([]) }, [])
        case 5 where isTLS13:
            let record = sealer.seal([24, 0, 0, 1, random.pick([0, 1])], type: 22)
            sealer.updateKeys()
            return (record, [])
        case 6:
            let alerts: [[UInt8]] = [
                [1, 0], [1, 90], [1, 100], [2, 40], [2, 0], [1], [], [1, 90, 1, 90], [9, 9],
            ]
            let alert = random.pick(alerts)
            return ((0..<random.pick([1, 1, 4, 10])).flatMap { _ in sealer.seal(alert, type: 21) }, [])
        case 7:
            let messages: [[UInt8]] = [
                [24, 0, 0, 1, 2], [24, 0, 0, 2, 0, 0], [24, 0, 0, 0], [24, 0, 0, 1, 0, 24], [4, 0, 0, 0], [0, 0, 0, 0],
                [20, 0, 0, 12] + [UInt8](repeating: 1, count: 12), [13, 0, 0, 3, 0, 0, 0], [1, 0, 0, 2, 3, 3],
                [8, 0xFF, 0xFF, 0xFF], [11, 0, 0, 4, 0, 0, 0, 0], [5, 0, 0, 0], [67, 0, 0, 0], [1, 0, 0],
            ]
            return (sealer.seal(random.pick(messages), type: 22), [])
        case 8:
            let content = [UInt8](repeating: 7, count: random.pick([0, 1, 2, 50, 16_384, 16_385, 16_640]))
            return (sealer.seal(content, type: random.pick([0, 20, 24, 25, 255])), [])
        default:
            let plain = [UInt8](repeating: 1, count: random.pick([0, 1, 5, 40]))
            return (SampleSealer.plain(plain, type: random.pick([20, 21, 22, 23])), [])
        }
    }
}
