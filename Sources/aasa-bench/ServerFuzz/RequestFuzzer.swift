import HTTP1

/// Reads request heads that are sound, nearly sound or nothing of the kind, whole and in pieces.
struct RequestFuzzer {
    /// Of sound heads, to be changed.
    private let seeds: [[UInt8]]
    private(set) var outcomes: [String: Int] = [:]
    private let tag = Array("\"0123456789abcdef\"".utf8)

    init() {
        var random = SplitMix64(seed: 1)
        seeds = (0..<2_000).map { _ in RequestGrammar.head(&random) }.filter {
            if case .request = RequestReference.judge($0) { true } else { false }
        }
    }

    /// Checks one more input; says what is impossible about the answers.
    mutating func check(_ random: inout SplitMix64) -> (input: [UInt8], complaint: String?) {
        let input = make(&random)
        let result = RequestParser.parse(input.span)
        outcomes[Self.name(result), default: 0] += 1
        if let complaint = Self.complaint(about: result, input) { return (input, complaint) }
        if let complaint = Self.complaint(aboutPartsOf: input, result, &random) { return (input, complaint) }
        if case .request(let head) = result { return (input, complaint(aboutUseOf: head, input)) }
        return (input, nil)
    }

    // MARK: Inputs

    private func make(_ random: inout SplitMix64) -> [UInt8] {
        var input = random.chance(50) ? RequestGrammar.head(&random) : random.pick(seeds)
        for _ in 0..<random.pick([0, 0, 1, 1, 1, 2, 3, 8]) { mutate(&input, &random) }
        // What stands behind a head makes no difference to it.
        if random.chance(10) { input += random.pick(seeds) }
        if random.chance(1) {
            input = (0..<random.number(0...64)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        return input
    }

    private func mutate(_ input: inout [UInt8], _ random: inout SplitMix64) {
        let start = random.number(0...input.count)
        let end = min(input.count, start + random.number(0...12))
        switch random.number(0...8) {
        case 0 where start < input.count: input[start] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1 where start < input.count: input[start] = UInt8.random(in: 0...255, using: &random)
        case 2: input.removeSubrange(start..<end)
        case 3: input.insert(contentsOf: random.pick(RequestGrammar.pieces), at: start)
        case 4: input.replaceSubrange(start..<end, with: random.pick(RequestGrammar.pieces))
        case 5: input.insert(contentsOf: input[start..<end], at: random.number(0...input.count))
        case 6: input.removeSubrange(start...)
        case 7:
            let other = random.pick(seeds)
            input.replaceSubrange(start..., with: other[random.number(0...other.count - 1)...])
        default: input.insert(UInt8.random(in: 0...255, using: &random), at: start)
        }
    }

    // MARK: Answers

    private static func name(_ result: RequestParser.Result) -> String {
        switch result {
        case .incomplete: "incomplete"
        case .request: "request"
        case .refused(let status): "\(status.rawValue)"
        }
    }

    private static func complaint(about result: RequestParser.Result, _ input: [UInt8]) -> String? {
        let expected = RequestReference.judge(input)
        switch (result, expected) {
        case (.request(let head), .request(let reference)):
            guard let found = words(head, input) else { return "a slice of \(head) is out of bounds" }
            return found == reference ? nil : "\(found) instead of \(reference)"
        case (.refused(let status), .refused(let statuses)) where statuses.contains(status):
            // The access log writes down what was refused.
            let line = RequestHead.requestLine(in: input.span)
            let end = max(line.method.range.upperBound, line.target.range.upperBound)
            return end <= input.count ? nil : "a request line beyond the end"
        case (.refused, .tooLong), (.refused, .open), (.incomplete, .open): return nil
        default: return "\(result) instead of \(expected)"
        }
    }

    /// `nil` if it points to where it may not.
    private static func words(_ head: RequestHead, _ input: [UInt8]) -> RequestReference.Head? {
        let count = Int(head.count)
        guard count <= input.count, Int(head.fields) <= count else { return nil }
        let line = RequestHead.requestLine(in: input.span)
        var slices = [head.path, head.host, head.userAgent, line.method, line.target]
        if let query = head.query(in: input.span) { slices.append(query) }
        guard slices.allSatisfy({ $0.range.upperBound <= count }) else { return nil }
        return RequestReference.Head(
            method: head.method, target: head.target, persistence: head.persistence, announcesBody: head.announcesBody,
            hasUnknownExpectation: head.hasUnknownExpectation, hasConditions: head.hasConditions,
            path: Array(input[head.path.range]), host: Array(input[head.host.range]),
            userAgent: Array(input[head.userAgent.range]), fields: Int(head.fields), count: count)
    }

    /// A head that comes in pieces: nothing is accepted early, and what is refused early is never accepted.
    private static func complaint(
        aboutPartsOf input: [UInt8], _ whole: RequestParser.Result, _ random: inout SplitMix64
    ) -> String? {
        var counts = (0..<random.number(1...4)).map { _ in random.number(0...input.count) }
        if input.count <= 400, random.chance(3) { counts = Array(0...input.count) }
        for count in counts {
            let part = RequestParser.parse(input.span.extracting(first: count))
            switch (part, whole) {
            case (.incomplete, _), (.refused, .refused): continue
            case (.request(let head), .request(let other)) where head == other: continue
            default: return "\(part) of the first \(count) bytes, \(whole) of all"
            }
        }
        return nil
    }

    /// What is done with a request: none of it may trap.
    private func complaint(aboutUseOf head: RequestHead, _ input: [UInt8]) -> String? {
        _ = Precondition.evaluate(
            head, in: input.span, entityTag: tag.span, lastModified: 784_111_777, now: 1_000_000_000)
        if RequestParser.isHead(input.span) != (head.method == .head) { return "\(head) and another method" }
        let path = String(decoding: input[head.path.range], as: UTF8.self)
        let isKnown = KnownPath.matches(head.path, of: input.span, Self.known)
        let expected = Self.decoded(path) == "\(Self.known)"
        return isKnown == expected && (isKnown || !head.isExpectedLine) ? nil : "path '\(path)': known \(isKnown)"
    }

    private static let known: StaticString = "/.well-known/apple-app-site-association"

    /// With percent-encoded unreserved characters decoded, once (RFC 3986, section 6.2.2.2).
    private static func decoded(_ path: String) -> String {
        var result = ""
        var rest = Substring(path)
        while let character = rest.popFirst() {
            let digits = rest.prefix(2)
            if character == "%", digits.utf8.count == 2, let code = UInt8(digits, radix: 16), !digits.hasPrefix("+"),
                case let decoded = Character(Unicode.Scalar(code)),
                decoded.isASCII && (decoded.isLetter || decoded.isNumber || "-._~".contains(decoded))
            {
                result.append(decoded)
                rest.removeFirst(2)
            } else {
                result.append(character)
            }
        }
        return result
    }
}
