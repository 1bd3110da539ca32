import AssociationServer
import DomainNames
import FuzzingSupport
import HTTP1

/// Asks for client and scheme of requests whose forwarded fields are sound, nearly sound or nothing of the kind.
struct ForwardedFuzzer {
    private(set) var outcomes: [String: Int] = [:]
    private let proxies = CIDRSet(CIDRBlock.private + CIDRBlock.loopback)

    /// Checks one more input; returns what is wrong with the answers.
    mutating func check(_ random: inout SplitMix64) -> (input: String, violation: String?) {
        var fields: [(name: String, value: [UInt8])] = []
        for _ in 0..<random.number(1...5) { fields.append(Self.field(&random)) }
        if random.chance(5) { fields += (0..<40).map { ("X-Forwarded-For", Array("10.0.0.\($0)".utf8)) } }
        var head = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)
        for field in fields { head += Array("\(field.name): ".utf8) + field.value + [13, 10] }
        head += [13, 10]
        // What follows is another request.
        let bytes = head + Array("X-Forwarded-For: 203.0.113.66\r\n\r\n".utf8)
        let shown = String(decoding: head, as: UTF8.self)
        guard case .request(let request) = RequestParser.parse(bytes.span) else {
            outcomes["refused", default: 0] += 1
            return (shown, nil)
        }
        let loopback = IPAddress(ipv4: 0x7F00_0001)
        let peer = random.pick([nil, loopback, loopback, IPAddress(ipv4: 0xCB00_7101)])
        let family = random.chance(95) ? random.pick([.xForwarded, .forwarded]) : ForwardedFields.Family.none
        let values = fields.map { ($0.name.lowercased(), Self.trimmed($0.value)) }
        let expected = reference(values, family, peer)
        let found = ask(request, bytes, family, peer)
        let scheme = found.scheme.map { "\($0)" } ?? "unknown"
        let isPeer = found.client == peer.map(AddressReference.bytes)
        outcomes["\(scheme), \(isPeer ? "peer" : "client")", default: 0] += 1
        if found == expected { return (shown, nil) }
        return (shown, "\(family) from \(String(describing: peer)): \(found) instead of \(expected)")
    }

    private struct Answer: Equatable {
        var client: [UInt8]?
        var scheme: ForwardedFields.Scheme?
    }

    private func ask(
        _ head: RequestHead, _ bytes: [UInt8], _ family: ForwardedFields.Family, _ peer: IPAddress?
    ) -> Answer {
        let memory = UnsafeMutablePointer<Range<Int>>.allocate(capacity: RequestParser.maxFields)
        defer { memory.deallocate() }
        return proxies.withView { trusted in
            let origin = ClientOrigin(peer: peer, trusted: trusted)
            let forwarding = Forwarding(family, trusted: trusted, fields: memory)
            return Answer(
                client: origin.client(of: head, in: bytes.span, forwarding).map(AddressReference.bytes),
                scheme: origin.scheme(of: head, in: bytes.span, forwarding))
        }
    }

    private func reference(
        _ fields: [(name: String, value: [UInt8])], _ family: ForwardedFields.Family, _ peer: IPAddress?
    ) -> Answer {
        func values(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value) }
        let own = peer.map(AddressReference.bytes)
        if let peer, !proxies.contains(peer) { return Answer(client: own, scheme: .http) }
        switch family {
        case .none: return Answer(client: own)
        case .xForwarded:
            let nodes = values("x-forwarded-for").flatMap(ForwardedReference.list).map(ForwardedReference.node)
            let schemes = values("x-forwarded-proto").flatMap(ForwardedReference.list).map(
                ForwardedReference.lowercased)
            return Answer(
                client: walk(nodes, own),
                scheme: schemes.contains("https") ? .https : schemes.contains("http") ? .http : nil)
        case .forwarded:
            let elements = values("forwarded").flatMap { ForwardedReference.elements($0) ?? [] }
            let nodes = elements.map { $0["for"].flatMap(ForwardedReference.node) }
            let scheme = elements.last { $0["proto"] != nil }?["proto"].map(ForwardedReference.lowercased)
            return Answer(
                client: walk(nodes, own), scheme: scheme == "https" ? .https : scheme == "http" ? .http : nil)
        }
    }

    private func walk(_ nodes: [[UInt8]?], _ peer: [UInt8]?) -> [UInt8]? {
        var client = peer
        for node in nodes.reversed().prefix(32) {
            guard let node else { break }
            client = node
            let numbers = [node[..<8], node[8...]].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
            if !proxies.contains(IPAddress(high: numbers[0], low: numbers[1])) { break }
        }
        return client
    }

    private static func trimmed(_ value: [UInt8]) -> [UInt8] { ForwardedReference.trimmed(value[...]) }

    private static func field(_ random: inout SplitMix64) -> (name: String, value: [UInt8]) {
        let name = random.pick([
            "X-Forwarded-For", "x-forwarded-for", "X-Forwarded-Proto", "Forwarded", "FORWARDED", "X-Forwarded", "Via",
        ])
        var value: [UInt8]
        switch name.lowercased() {
        case "forwarded":
            let elements = (0..<random.pick([0, 1, 1, 2, 3, 35])).map { _ in element(&random) }
            value = Array(elements.joined(separator: random.pick([",", ", ", " ,\t", ",,"])).utf8)
        case "x-forwarded-proto": value = Array(random.list(of: schemes, upTo: 3).joined(separator: ", ").utf8)
        default:
            let count = random.pick([0, 1, 1, 2, 3, 34])
            value = Array((0..<count).map { _ in random.pick(nodes) }.joined(separator: random.pick([",", ", "])).utf8)
        }
        for _ in 0..<random.pick([0, 0, 0, 1, 1, 3]) { mutate(&value, &random) }
        return (name, value)
    }

    private static func element(_ random: inout SplitMix64) -> String {
        let parameters = (0..<random.pick([1, 1, 2, 3])).map { _ -> String in
            let name = random.pick(["for", "For", "proto", "PROTO", "by", "host", "secret"])
            let value = name.lowercased() == "proto" ? random.pick(schemes) : random.pick(nodes)
            let isToken = !value.isEmpty && !value.contains { "[]:/ ".contains($0) }
            return isToken && random.chance(50) ? "\(name)=\(value)" : "\(name)=\"\(value)\""
        }
        return parameters.joined(separator: random.pick([";", "; ", " ;", ";;"]))
    }

    private static func mutate(_ value: inout [UInt8], _ random: inout SplitMix64) {
        let start = random.number(0...value.count)
        switch random.number(0...4) {
        case 0 where start < value.count: value[start] ^= 1 << random.number(below: 8)
        case 1: value.removeSubrange(start..<min(value.count, start + random.number(0...5)))
        case 2: value.insert(contentsOf: Array(random.pick(pieces).utf8), at: start)
        case 3: value.removeSubrange(start...)
        default: value.insert(random.byte(), at: start)
        }
    }

    private static let nodes =
        ["10.0.0.2", "10.0.0.3", "127.0.0.1", "192.168.1.1", "::ffff:10.0.0.9", "[fe80::1]", "10.0.0.2:_p"]
        + ["203.0.113.9", "203.0.113.9:80", "[2001:db8::1]", "[2001:db8::1]:443", "2001:db8::2", "::ffff:203.0.113.8"]
        + ["10.0.0.2", "10.0.0.3", "127.0.0.1", "192.168.1.1", "10.0.0.2:99999"]
        + ["unknown", "_hidden", "", "10.0.0.2:123456", "10.0.0.2:", "[::1", "10.0.0.02", "fe80::1%lo"]
    private static let schemes = ["https", "http", "HTTPS", "Http", "wss", "httpss", ""]
    private static let pieces = [
        "\"", "\\", ",", ";", "=", " ", "\t", "for=", "proto=https", "\"\\\"", "[", "]", ":", ".",
    ]
}

/// Forwarded fields, read slowly from RFC 7239 and docs/spec/deploy.md, A4.
private enum ForwardedReference {
    static func lowercased(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self).lowercased() }

    static func trimmed(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
        return Array(value.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    static func list(_ value: [UInt8]) -> [[UInt8]] {
        value.split(separator: UInt8(ascii: ",")).map(trimmed).filter { !$0.isEmpty }
    }

    static func node(_ text: [UInt8]) -> [UInt8]? {
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")), isPort(Array(text[(end + 1)...])) else {
                return nil
            }
            return AddressReference.read(Array(text[1..<end]), isIPv6: true)
        }
        let host = Array(text.prefix { $0 != UInt8(ascii: ":") })
        if let address = AddressReference.read(host, isIPv6: false) {
            return isPort(Array(text.dropFirst(host.count))) ? address : nil
        }
        return AddressReference.read(text, isIPv6: true)
    }

    private static func isPort(_ text: [UInt8]) -> Bool {
        guard let first = text.first else { return true }
        let port = text.dropFirst()
        guard first == UInt8(ascii: ":") else { return false }
        if port.first == UInt8(ascii: "_") {
            return port.count > 1 && port.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
        }
        return (1...5).contains(port.count) && port.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The parameters of each element, by their names in lower case; `nil` for a field that does not parse.
    static func elements(_ field: [UInt8]) -> [[String: [UInt8]]]? {
        guard let pieces = split(field, at: UInt8(ascii: ",")) else { return nil }
        var elements: [[String: [UInt8]]] = []
        for piece in pieces where !piece.isEmpty {
            var element: [String: [UInt8]] = [:]
            for parameter in split(piece, at: UInt8(ascii: ";")) ?? [] where !parameter.isEmpty {
                guard let (name, value) = pair(parameter) else { return nil }
                let isOfNote = name == "for" || name == "proto"
                if isOfNote, element[name] != nil { return nil }
                element[name] = value
            }
            elements.append(element)
        }
        return elements
    }

    /// Splits outside of quoted strings, and trims; `nil` if one of those does not end.
    private static func split(_ text: [UInt8], at separator: UInt8) -> [[UInt8]]? {
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        var isEscaped = false
        for byte in text {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if !isQuoted, byte == separator {
                pieces.append([])
                continue
            }
            pieces[pieces.count - 1].append(byte)
        }
        return isQuoted ? nil : pieces.map { trimmed($0[...]) }
    }

    private static func pair(_ text: [UInt8]) -> (String, [UInt8])? {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = Array(text[..<equals])
        let value = Array(text[(equals + 1)...])
        guard isToken(name) else { return nil }
        if isToken(value) { return (lowercased(name), value) }
        guard value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") else { return nil }
        let inner = Array(value.dropFirst().dropLast())
        return isInside(inner) ? (lowercased(name), inner) : nil
    }

    /// Whether there is no quote in it that would end a quoted string.
    private static func isInside(_ text: [UInt8]) -> Bool {
        var isEscaped = false
        for byte in text {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return false
            }
        }
        return !isEscaped
    }

    private static func isToken(_ word: [UInt8]) -> Bool {
        !word.isEmpty && word.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}
