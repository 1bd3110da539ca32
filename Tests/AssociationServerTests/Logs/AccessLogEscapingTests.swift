import AssociationServer
import Diagnostics
import DomainNames
import EventLoops
import FuzzingSupport
import HTTP1
import JSONSyntax
import Testing

/// Everything that clients send stays within its quotes and its line (server.md, section 7, last line).
@Suite("Escaping in the access log")
struct AccessLogEscapingTests {
    @Test(
        "characters that are more than themselves are escaped",
        arguments: [
            ("plain ~!#$%&'()*+,-./:;<=>?@[]^_`{|}", "plain ~!#$%&'()*+,-./:;<=>?@[]^_`{|}"),
            ("a\"b\\c", #"a\"b\\c"#), ("\r\n\t", #"\r\n\t"#),
            ("\0\u{1}\u{1B}[31m\u{7F}", #"\u0000\u0001\u001b[31m\u007f"#),
            ("bücher", #"b\u00fccher"#), ("\u{85}\u{9B}", #"\u0085\u009b"#), ("\u{202E}gpj", #"\u202egpj"#),
            ("\u{2028}\u{2029}\u{FEFF}", #"\u2028\u2029\ufeff"#), ("😀", #"\ud83d\ude00"#),
            ("\u{10FFFF}\u{10000}", #"\udbff\udfff\ud800\udc00"#), ("\u{E0001}", #"\udb40\udc01"#),
            ("\u{7FF}\u{800}\u{FFFF}", #"\u07ff\u0800\uffff"#), ("1234567\"", #"1234567\""#),
            ("\"234567", #"\"234567"#),
            ("12345678\"", #"12345678\""#), ("\"\"\"\"\"\"\"\"\"", #"\"\"\"\"\"\"\"\"\""#),
        ])
    func json(text: String, escaped: String) {
        let line = AccessLogRequest(userAgent: Array(text.utf8)).text(.json)
        #expect(line.contains(#","agent":"\#(escaped)","bytes":"#))
    }

    @Test(
        "bytes that are not UTF-8 are replaced, each by itself",
        arguments: [
            ([0x80], 1), ([0xC3], 1), ([0xC3, 0x28], 1), ([0xC0, 0xAF], 2), ([0xE2, 0x82], 2), ([0xED, 0xA0, 0x80], 3),
            ([0xF4, 0x90, 0x80, 0x80], 4), ([0xF0, 0x80, 0x80, 0xAF], 4), ([0xE0, 0x80, 0xAF], 3), ([0xFF, 0xFE], 2),
            ([0xF8, 0x88, 0x80, 0x80, 0x80], 5),
        ] as [([UInt8], Int)])
    func malformed(bytes: [UInt8], replaced: Int) {
        let line = AccessLogRequest(userAgent: bytes).text(.json)
        let rest = bytes.last == 0x28 ? "(" : ""
        #expect(line.contains(#","agent":"\#(String(repeating: #"\ufffd"#, count: replaced))\#(rest)","bytes":"#))
    }

    @Test("combined lines escape as nginx does")
    func combined() {
        let line = AccessLogRequest(userAgent: Array("a\"b\\c\r\n\u{1B}\u{7F}é".utf8)).text(.combined)
        #expect(line.hasSuffix(#" "-" "a\x22b\x5Cc\x0D\x0A\x1B\x7F\xC3\xA9""# + "\n"))
    }

    @Test("every byte alone, and at every place of a word")
    func everyByte() throws {
        for byte in UInt8.min ... .max {
            for place in [0, 1, 6, 7, 8, 9, 15, 16] {
                let text = [UInt8](repeating: 0x61, count: place) + [byte] + [UInt8](repeating: 0x62, count: 16 - place)
                try check(AccessLogRequest(target: text))
                try check(AccessLogRequest(target: Array(text[...place])))
            }
        }
    }

    @Test("whatever is sent, a line is one line, sound, and says what was sent", arguments: TestSeeds.of(1...1))
    func fuzz(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<400 {
            func bytes() -> [UInt8]? {
                let kinds: [ClosedRange<UInt8>] = [0...255, 0x20...0x7E, 0x80...0xFF, 0x00...0x2F, 0x50...0x60]
                let kind = random.pick(kinds)
                let longest = random.pick([0, 3, 9, 40, 700, 3_000])
                if random.chance(5) { return nil }
                let count = random.number(0...longest)
                return (0..<count).map { _ in kind.lowerBound + UInt8(random.number(below: kind.count)) }
            }
            try check(
                AccessLogRequest(site: bytes(), host: bytes(), method: bytes(), target: bytes(), userAgent: bytes()))
        }
    }

    @Test("well-formed text of all scripts comes through whole", arguments: TestSeeds.of(2...2))
    func scripts(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<random.number(0...100) {
                let limits = [0x80, 0x800, 0x1_0000, 0x11_0000]
                let value = UInt32(random.number(below: random.pick(limits)))
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            let values = try strings(AccessLogRequest(userAgent: Array(text.utf8)).line(.json))
            #expect(values["agent"]??.utf8.elementsEqual(text.utf8) == true)
        }
    }

    @Test("what is too long is cut, and says so")
    func cut() throws {
        func agent(_ count: Int) throws -> String? {
            try strings(AccessLogRequest(userAgent: [UInt8](repeating: 0x61, count: count)).line(.json))["agent"] ?? nil
        }
        #expect(try agent(512) == String(repeating: "a", count: 512))
        #expect(try agent(513) == String(repeating: "a", count: 512) + "…")
        let long = AccessLogRequest(
            site: Array(String(repeating: "s", count: 300).utf8), method: Array(String(repeating: "M", count: 33).utf8),
            target: Array(String(repeating: "t", count: 4_000).utf8))
        let values = try strings(long.line(.json))
        #expect(values["site"] == String(repeating: "s", count: 255) + "…")
        #expect(values["method"] == String(repeating: "M", count: 32) + "…")
        #expect(values["target"] == String(repeating: "t", count: 2_048) + "…")
        let line = long.text(.combined)
        let request = "\(String(repeating: "M", count: 32))... \(String(repeating: "t", count: 2_048))... HTTP/1.1"
        #expect(line.contains(#""\#(request)""#))
    }

    @Test("no character is cut in two", arguments: [("é", 2), ("€", 3), ("😀", 4)])
    func cutWithinCharacter(character: String, count: Int) throws {
        for shift in 0..<count {
            let text = String(repeating: "a", count: shift) + String(repeating: character, count: 600)
            let shown = try strings(AccessLogRequest(userAgent: Array(text.utf8)).line(.json))["agent"] ?? nil
            let whole = (512 - shift) / count
            #expect(shown == String(repeating: "a", count: shift) + String(repeating: character, count: whole) + "…")
        }
    }

    @Test("the longest line that there can be has room", arguments: [1, 0x80, 0xFF] as [UInt8])
    func longest(byte: UInt8) {
        let long = [UInt8](repeating: byte, count: 5_000)
        var request = AccessLogRequest(
            time: .max, address: .init(high: .max, low: .max), site: long, method: long, target: long,
            status: .serviceUnavailable, bytes: .max, microseconds: .max, isResumed: false, userAgent: long)
        #expect(request.line(.json).count > 6 * (32 + 255 + 2_048 + 512))
        #expect(request.line(.combined).count > 4 * (32 + 2_048 + 512))
        request.version = .http2
        #expect(request.line(.combined).last == UInt8(ascii: "\n"))
    }

    private func check(_ request: AccessLogRequest) throws {
        let (json, combined) = (request.line(.json), request.line(.combined))
        for line in [json, combined] {
            let isSound = line.last == UInt8(ascii: "\n") && line.dropLast().allSatisfy { (0x20..<0x7F).contains($0) }
            #expect(isSound)
        }
        let values = try strings(json)
        for (key, sent, limit) in [
            ("site", request.site, 255), ("host", request.host, 255), ("method", request.method, 32),
            ("target", request.target, 2_048),
            ("agent", request.userAgent, 512),
        ] {
            let shown = try #require(values[key])
            guard let sent, let shown else {
                #expect(shown == nil && sent == nil)
                continue
            }
            if sent.count <= limit {
                #expect(Self.squeezed(shown) == Self.squeezed(String(decoding: sent, as: UTF8.self)))
            }
        }
        let fields = combined.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        try #require(fields.count == 7)
        if let agent = request.userAgent, agent.count <= 512 { #expect(Self.unescaped(Array(fields[5])) == agent) }
    }

    /// The strings of a line of JSON; a null is `nil`.
    private func strings(_ line: [UInt8]) throws -> [String: String?] {
        let document = JSONReader.read(line, path: "line")
        #expect(document.findings.filter { $0.severity == .error }.isEmpty)
        let object = try #require(document.root?.object)
        var values: [String: String?] = [:]
        for key in ["address", "agent", "host", "method", "site", "target", "time"] {
            let node = try #require(object[key])
            values.updateValue(node.string?.text, forKey: key)
        }
        return values
    }

    /// The text with one replacement for each run of malformed bytes: their number is a matter of taste.
    private static func squeezed(_ text: String) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars where scalar != "\u{FFFD}" || scalars.last != scalar {
            scalars.append(scalar)
        }
        return scalars
    }

    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "\\"), index + 3 < text.count {
                bytes.append(UInt8(String(decoding: text[index + 2...index + 3], as: UTF8.self), radix: 16) ?? 0)
                index += 4
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }
}
