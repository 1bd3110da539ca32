import FuzzingSupport
import HTTP1
import Testing

struct FuzzTests {
    /// Heads that are changed at a few places: most are nearly right, which finds more than noise does.
    private struct Mutator {
        private static let accepted = AcceptedHead.all.map { bytes($0.head) }
        private static let refused = RefusedHead.all.map { bytes($0.head) }
        private static let characters = bytes("\r\n\r\n\r\n \t::#?/%,.@[]\0\u{7F}\u{80}\u{FF}09azAZ!~\"\u{1}")
        private static let words = [
            "\r\n", "\r\n\r\n", "\r\n ", "\n", "\r", "Host: b\r\n", "Content-Length: 5\r\n", "Connection: close\r\n",
            "Transfer-Encoding: chunked\r\n", " HTTP/1.1", "https://", "If-Match: *\r\n", "Expect: x\r\n", "xxxxxxxx",
        ].map(bytes)

        var random: SplitMix64

        mutating func head() -> [UInt8] {
            var head = seed()
            for _ in 0...random.number(below: 3) { mutate(&head) }
            return head
        }

        private mutating func seed() -> [UInt8] {
            let seeds = random.number(below: 4) == 0 ? Self.refused : Self.accepted
            return seeds[random.number(below: seeds.count)]
        }

        private mutating func mutate(_ head: inout [UInt8]) {
            let place = random.number(below: head.count + 1)
            switch random.number(below: 7) {
            case 0: head.insert(character(), at: place)
            case 1: head.insert(contentsOf: word(), at: place)
            case 2 where place < head.count: head[place] ^= 1 << UInt8(truncatingIfNeeded: random.number(below: 8))
            case 3 where place < head.count: head[place] = character()
            case 4 where place < head.count: head.remove(at: place)
            case 5: head.removeSubrange(place..<min(head.count, place + random.number(below: 12)))
            case 6:
                let other = seed()
                head.replaceSubrange(place..., with: other[random.number(below: other.count)...])
            default: break
            }
        }

        private mutating func character() -> UInt8 { Self.characters[random.number(below: Self.characters.count)] }

        private mutating func word() -> [UInt8] { Self.words[random.number(below: Self.words.count)] }
    }

    @Test("Mutated heads keep the parser's promises", arguments: TestSeeds.of(0...3))
    func mutations(seed: UInt64) {
        var mutator = Mutator(random: SplitMix64(seed: seed))
        var requests = 0
        for _ in 0..<25_000 {
            let input = mutator.head()
            let result = parse(input)
            if let broken = brokenPromise(of: result, for: input) {
                Issue.record("\(broken): \(String(decoding: input, as: UTF8.self).debugDescription)")
            }
            let part = parse(input[..<mutator.random.number(below: input.count + 1)])
            if part != .incomplete, part != result, isRequest(part) || isRequest(result) {
                Issue.record("part and whole differ: \(String(decoding: input, as: UTF8.self).debugDescription)")
            }
            if isRequest(result) { requests += 1 }
        }
        #expect(requests > 2_500)
    }

    @Test("Noise is never a request", arguments: TestSeeds.of(1...1))
    func noise(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let input = (0..<random.number(below: 64)).map { _ in random.byte() }
            let result = parse(input)
            #expect(!isRequest(result))
        }
    }

    private func isRequest(_ result: RequestParser.Result) -> Bool { if case .request = result { true } else { false } }

    private func brokenPromise(of result: RequestParser.Result, for input: [UInt8]) -> String? {
        switch result {
        case .incomplete: return nil
        case .refused(let status):
            let refusals: [Status] = [.badRequest, .uriTooLong, .requestHeaderFieldsTooLarge, .httpVersionNotSupported]
            return refusals.contains(status) ? nil : "refused with \(status)"
        case .request(let head):
            let count = Int(head.count)
            guard count >= 16, count <= input.count else { return "count \(count)" }
            guard input[(count - 4)..<count].elementsEqual([13, 10, 13, 10]) else { return "no empty line at the end" }
            if let place = placeOfDoubt(in: input[..<count]) { return "in doubt at byte \(place)" }
            guard head.fields < head.count, input[Int(head.fields) - 1] == 10 else { return "fields at \(head.fields)" }
            for slice in [head.path, head.host] where slice.range.upperBound > count { return "slice beyond the head" }
            guard head.path.range.upperBound <= Int(head.fields) else { return "path beyond the request line" }
            let visible: ClosedRange<UInt8> = 0x21...0x7E
            guard input[head.path.range].allSatisfy(visible.contains) else { return "path with blanks" }
            guard input[head.host.range].allSatisfy(visible.contains) else { return "host with blanks" }
            if (head.path.count == 0 || input[head.path.range.lowerBound] != 0x2F) && head.target == .origin {
                return "path without slash"
            }
            if head.host.count == 0 && head.persistence == .byDefault { return "no host" }
            return nil
        }
    }

    /// Where a head has a bare CR or LF, a line that begins with a blank, or an empty line before its last.
    private func placeOfDoubt(in head: ArraySlice<UInt8>) -> Int? {
        var previous: UInt8 = 0
        for (index, byte) in head.enumerated() {
            if (byte == 10) != (previous == 13) { return index }
            if previous == 10, byte == 32 || byte == 9 { return index }
            if previous == 10, byte == 13, index > 2, index < head.count - 2 { return index }
            previous = byte
        }
        return nil
    }
}
