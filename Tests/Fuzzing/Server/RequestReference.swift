import HTTP1

/// The head of a request, read slowly from RFC 9112 and server.md, section 3: the parser's answer is held
/// against it.
struct RequestReference {
    /// The content of a head, in words.
    struct Head: Equatable {
        var method: RequestHead.Method
        var target: RequestHead.Target
        var persistence = RequestHead.Persistence.byDefault
        var announcesBody = false
        var hasUnknownExpectation = false
        var hasConditions = false
        var path: [UInt8] = []
        var host: [UInt8] = []
        var userAgent: [UInt8] = []
        var fields = 0
        var count = 0
    }

    enum Verdict: Equatable {
        /// There is no empty line yet: anything but a request may be said.
        case open
        /// There is none, and a limit is passed: it has to be refused.
        case tooLong
        case request(Head)
        /// One of these statuses: a head can be wrong in several ways.
        case refused(Set<Status>)
    }

    private var defects: Set<Status> = []
    private var isVersion10 = false

    static func judge(_ bytes: [UInt8]) -> Verdict {
        var reference = RequestReference()
        return reference.judge(bytes)
    }

    private mutating func judge(_ bytes: [UInt8]) -> Verdict {
        let skipped = bytes.starts(with: [13, 10]) ? 2 : 0
        let text = Array(bytes[skipped...])
        guard let end = Self.endOfHead(text) else {
            let line = Self.split(text).first?.count ?? 0
            return text.count > 8_192 || line > 4_097 ? .tooLong : .open
        }
        // Without the two line ends at its end.
        let lines = Self.split(Array(text[..<(end - 4)]))
        if lines[0].count > 4_096 { defects.insert(.uriTooLong) }
        if end > 8_192 || lines.count - 1 > 100 { defects.insert(.requestHeaderFieldsTooLarge) }
        for line in lines where line.contains(13) || line.contains(10) { defects.insert(.badRequest) }
        var head = Head(method: .other, target: .unsupported)
        readRequestLine(lines[0], &head)
        readFields(lines.dropFirst().map(Self.field), &head)
        head.fields = skipped + lines[0].count + 2
        head.count = skipped + end
        return defects.isEmpty ? .request(head) : .refused(defects)
    }

    /// Behind the first empty line; an empty line at the very beginning ends a head without a request line.
    private static func endOfHead(_ text: [UInt8]) -> Int? {
        var ends = 0
        for (index, byte) in text.enumerated() {
            // How much of CR LF CR LF stands here.
            let isNext = byte == (ends % 2 == 0 ? 13 : 10)
            ends = isNext ? ends + 1 : byte == 13 ? 1 : 0
            if ends == 4 { return index + 1 }
        }
        return nil
    }

    /// The lines of a text, whose ends are CR LF; at least one.
    private static func split(_ text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        for index in text.indices.dropFirst() where text[index] == 10 && text[index - 1] == 13 && index > start {
            lines.append(Array(text[start..<(index - 1)]))
            start = index + 1
        }
        return lines + [Array(text[start...])]
    }

    private mutating func readRequestLine(_ line: [UInt8], _ head: inout Head) {
        let words = line.split(separator: 32, omittingEmptySubsequences: false).map(Array.init)
        guard words.count == 3 else {
            defects.insert(.badRequest)
            return
        }
        if !Self.isToken(words[0]) { defects.insert(.badRequest) }
        head.method = words[0] == Array("GET".utf8) ? .get : words[0] == Array("HEAD".utf8) ? .head : .other
        readVersion(words[2])
        let target = words[1]
        guard !target.isEmpty, target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            defects.insert(.badRequest)
            return
        }
        readTarget(target, &head)
    }

    private mutating func readVersion(_ word: [UInt8]) {
        let digits = Array("0123456789".utf8)
        guard word.count == 8, word.starts(with: "HTTP/".utf8), word[6] == UInt8(ascii: "."), digits.contains(word[5]),
            digits.contains(word[7])
        else {
            defects.insert(.badRequest)
            return
        }
        if word[5] != UInt8(ascii: "1") { defects.insert(.httpVersionNotSupported) }
        isVersion10 = word[7] == UInt8(ascii: "0")
    }

    private func readTarget(_ target: [UInt8], _ head: inout Head) {
        let question = UInt8(ascii: "?")
        if target[0] == UInt8(ascii: "/") {
            head.target = .origin
            head.path = Array(target.prefix { $0 != question })
            return
        }
        let isHTTPS = Self.lowercased(Array(target.prefix(8))) == "https://"
        guard isHTTPS || Self.lowercased(Array(target.prefix(7))) == "http://" else { return }
        let rest = target.dropFirst(isHTTPS ? 8 : 7)
        let authority = Array(rest.prefix { $0 != UInt8(ascii: "/") && $0 != question })
        guard let host = Self.host(authority) else { return }
        head.target = isHTTPS ? .absolute : .absoluteInClear
        head.host = host
        head.path = Array(rest.dropFirst(authority.count).prefix { $0 != question })
    }

    private struct Field {
        let name: String
        let value: [UInt8]
    }

    private static func field(_ line: [UInt8]) -> Field? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(Array(line[..<colon])) else { return nil }
        let value = line[(colon + 1)...]
        guard value.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 }) else { return nil }
        return Field(name: lowercased(Array(line[..<colon])), value: trimmed(Array(value)))
    }

    private mutating func readFields(_ all: [Field?], _ head: inout Head) {
        let fields = all.compactMap(\.self)
        if fields.count < all.count { defects.insert(.badRequest) }
        func values(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value) }
        let hosts = values("host")
        if hosts.count > 1 || hosts.isEmpty && !isVersion10 { defects.insert(.badRequest) }
        for value in hosts {
            guard let host = Self.host(value) else {
                defects.insert(.badRequest)
                continue
            }
            if head.target == .origin || head.target == .unsupported { head.host = host }
        }
        readBody(values("content-length"), values("transfer-encoding"), &head)
        readConnection(values("connection"), &head)
        head.hasUnknownExpectation = values("expect").contains { Self.lowercased($0) != "100-continue" }
        let conditions = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"]
        head.hasConditions = fields.contains { conditions.contains($0.name) }
        head.userAgent = values("user-agent").last ?? []
    }

    private mutating func readBody(_ lengths: [[UInt8]], _ encodings: [[UInt8]], _ head: inout Head) {
        if lengths.count + encodings.count > 1 { defects.insert(.badRequest) }
        for length in lengths {
            let isNumber = !length.isEmpty && length.allSatisfy { (0x30...0x39).contains($0) }
            guard isNumber, let number = Int64(String(decoding: length, as: UTF8.self)) else {
                defects.insert(.badRequest)
                continue
            }
            if number > 0 { head.announcesBody = true }
        }
        for encoding in encodings {
            head.announcesBody = true
            if Self.lowercased(encoding) != "chunked" || isVersion10 { defects.insert(.badRequest) }
        }
    }

    private func readConnection(_ values: [[UInt8]], _ head: inout Head) {
        let options = values.flatMap { $0.split(separator: UInt8(ascii: ",")).map { Self.trimmed(Array($0)) } }
            .map(Self.lowercased)
        if options.contains("close") {
            head.persistence = .no
        } else if isVersion10 {
            head.persistence = options.contains("keep-alive") ? .asked : .no
        }
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ word: [UInt8]) -> Bool {
        !word.isEmpty && word.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func trimmed(_ value: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
        return Array(value.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    /// The word in lower case, for ASCII; a byte beyond it becomes something that is in no name.
    private static func lowercased(_ word: [UInt8]) -> String {
        String(decoding: word.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 < 0x80 ? $0 : 0 }, as: UTF8.self)
    }

    /// The host of `host[:port]` (RFC 3986, section 3.2) without one dot at its end; `nil` if it is none.
    private static func host(_ authority: [UInt8]) -> [UInt8]? {
        let isAddress = authority.first == UInt8(ascii: "[")
        let mark = UInt8(ascii: isAddress ? "]" : ":")
        var host = Array(authority.prefix { $0 != mark })
        var rest = Array(authority.dropFirst(host.count))
        if isAddress {
            guard rest.first == mark, host.count > 2,
                host.dropFirst().allSatisfy({ "0123456789abcdefABCDEF:.".utf8.contains($0) })
            else { return nil }
            host.append(mark)
            rest.removeFirst()
        } else if !isRegisteredName(host) {
            return nil
        }
        if let first = rest.first {
            let port = rest.dropFirst()
            guard first == UInt8(ascii: ":"), port.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            let digits = port.drop { $0 == 0x30 }
            guard digits.count <= 5, Int(String(decoding: digits, as: UTF8.self)) ?? 0 <= 65_535 else { return nil }
        }
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        return host.isEmpty || host.count > 255 ? nil : host
    }

    private static func isRegisteredName(_ name: [UInt8]) -> Bool {
        var index = 0
        while index < name.count {
            if name[index] == UInt8(ascii: "%") {
                guard index + 2 < name.count, isHex(name[index + 1]), isHex(name[index + 2]) else { return false }
                index += 3
            } else {
                guard isLetterOrDigit(name[index]) || "-._~!$&'()*+,;=".utf8.contains(name[index]) else { return false }
                index += 1
            }
        }
        return true
    }

    private static func isHex(_ byte: UInt8) -> Bool { "0123456789abcdefABCDEF".utf8.contains(byte) }
}
