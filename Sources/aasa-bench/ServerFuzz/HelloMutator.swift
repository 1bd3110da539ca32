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
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    // MARK: Reading and writing

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
