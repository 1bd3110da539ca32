internal import AppSiteAssociation
internal import Diagnostics
internal import DomainNames
internal import EventLoops
internal import JSONSyntax

extension ConfigurationType where Value == [ListenerConfiguration]? {
    static var listeners: Self {
        Self(expected: "an array of addresses, or of objects with an address") { list, reader in
            let example = "[\"0.0.0.0:443\"]"
            guard let elements = reader.elements(list, example: example, takesObjects: true) else { return nil }
            if elements.isEmpty { return reader.reject(list, "empty", expected: "an array like \(example)") }
            return elements.compactMap { reader.listener($0) }
        }.taking(.array(of: .any(of: [.string, ConfigurationReader.listenerSchema])))
    }
}

extension ConfigurationReader {
    private static let listenerKeys = ["address", "proxyProtocol", "health", "mode", "owner", "group"]
    private static let unixKeys = ["mode", "owner", "group"]
    private static let longestAccount = 256

    fileprivate static var listenerSchema: JSONSchema {
        let account = JSONSchema(["type": .array([.string("string"), .string("integer")])])
        let types: [JSONSchema] = [.string, .boolean, .boolean, .string, account, account]
        return JSONSchema.object.requiring(["address"]).closed()
            .with(properties: Dictionary(uniqueKeysWithValues: zip(listenerKeys, types.map(\.json))))
    }

    /// An entry of `listen`. One with an address that cannot be used is returned, too, so that it counts.
    fileprivate mutating func listener(_ entry: ConfigurationValue) -> ListenerConfiguration? {
        if let text = entry.node.string?.text {
            checkAddress(text, of: entry, "'\(entry.name)' has")
            return ListenerConfiguration(text)
        }
        guard let object = entry.node.object else {
            return reject(entry, expected: "a string like \"0.0.0.0:443\", or an object with an \"address\"")
        }
        rejectUnknownKeys(of: object, entry, known: Self.listenerKeys)
        guard let address = entry["address"] else {
            let example = "{\"address\": \"unix:/run/aasa/http.sock\"}"
            return reject(entry, "an object without \"address\"", expected: "one like \(example)")
        }
        guard let text = string(address) else { return nil }
        checkAddress(text, of: address, "'\(address.name)' is")
        var listener = ListenerConfiguration(text)
        if let value = entry["proxyProtocol"], let flag = ConfigurationType.boolean.read(value, &self) {
            listener.proxyProtocol = flag
            if flag { noteProxyListener(listener, value) }
        }
        if let value = entry["health"], let flag = ConfigurationType.boolean.read(value, &self) {
            listener.health = flag
        }
        if let value = entry["mode"] { listener.mode = mode(value) }
        if let value = entry["owner"] { listener.owner = account(value, "user") }
        if let value = entry["group"] { listener.group = account(value, "group") }
        checkKeys(of: entry, listener.endpoint, text)
        return listener
    }

    /// Reports an address that cannot be used, or that an earlier listener has.
    ///
    /// - Parameter subject: begins the message, before the address.
    private mutating func checkAddress(_ text: String, of value: ConfigurationValue, _ subject: String) {
        let endpoint: ListenerEndpoint
        do throws(ListenerEndpoint.Problem) {
            endpoint = try ListenerEndpoint(text)
        } catch {
            return reject(
                value, "\(subject) \(quoted(text, limit: 120)); \(error.message)",
                error.suggestion.map(value.writing(string:)))
        }
        if let other = claim(endpoint.addresses, text) {
            let same = other == text ? "twice" : "and \(quoted(other, limit: 120)), which is the same address"
            reject(value, "'listen' has \(quoted(text, limit: 120)) \(same); expected each address once")
        }
    }

    /// Reports keys that mean nothing for a kind of listener.
    private mutating func checkKeys(of entry: ConfigurationValue, _ endpoint: ListenerEndpoint?, _ address: String) {
        let shown = quoted(address, limit: 120)
        switch endpoint {
        case .unix, nil: return
        case .https:
            if let value = entry["health"] {
                let plain = "for plain HTTP, 'http://…' and 'unix:…'"
                reject(value, "'\(value.name)' is \(plain), only; \(shown) is HTTPS")
            }
        case .http: break
        }
        for value in Self.unixKeys.compactMap({ entry[$0] }) {
            reject(value, "'\(value.name)' is only for Unix sockets; \(shown) is TCP")
        }
    }

    private mutating func mode(_ value: ConfigurationValue) -> UInt16? {
        let expected = "three or four octal digits, like \"0660\""
        guard let text = value.node.string?.text else {
            var fix: FixIt?
            if case .number(let literal) = value.node.value, (3...4).contains(literal.utf8.count),
                let mode = UInt16(literal, radix: 8), mode <= 0o777
            {
                fix = value.writing("\"\(Self.octal(mode))\"")
            }
            return reject(value, expected: "a string of octal digits, like \"0660\"", fix)
        }
        guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let mode = UInt16(text, radix: 8)
        else { return reject(value, quoted(text), expected: expected) }
        guard mode <= 0o777 else {
            return reject(
                value, quoted(text), expected: "\(expected), without set-id and sticky bits",
                value.writing("\"\(Self.octal(mode & 0o777))\""))
        }
        return mode
    }

    private static func octal(_ mode: UInt16) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    /// The name or number of a user or group.
    private mutating func account(_ value: ConfigurationValue, _ kind: String) -> String? {
        if case .number(let literal) = value.node.value, let number = UInt32(literal), number < .max {
            return "\(number)"
        }
        let expected = "the name or the number of a \(kind)"
        guard let text = string(value, expected: expected) else { return nil }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard !text.isEmpty, text.utf8.count <= Self.longestAccount,
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != ":" && $0 != "/" }),
            !isNumber || UInt32(text).map({ $0 < .max }) == true
        else { return reject(value, quoted(text), expected: expected) }
        return text
    }
}

extension ConfigurationType where Value == CIDRSet {
    private static var words: [(name: String, blocks: [CIDRBlock])] {
        [("loopback", CIDRBlock.loopback), ("private", CIDRBlock.private)]
    }

    static var trustedProxies: Self {
        Self(expected: "an array of addresses, CIDR blocks, `\"loopback\"` and `\"private\"`") { list, reader in
            guard let elements = reader.elements(list, example: "[\"loopback\"]") else { return nil }
            // Whether they can be read or not: an error about each is enough.
            reader.hasTrustedProxies = !elements.isEmpty
            return CIDRSet(elements.flatMap { blocks($0, &reader) })
        }.taking(.array(of: .string))
    }

    private static func blocks(_ value: ConfigurationValue, _ reader: inout ConfigurationReader) -> [CIDRBlock] {
        guard let text = reader.string(value, expected: "a string like \"10.0.0.0/8\"") else { return [] }
        if let word = words.first(where: { $0.name == text }) { return word.blocks }
        do throws(CIDRBlock.Problem) {
            let block = try CIDRBlock(text)
            if block.isEverything {
                let family = text.contains(":") && !text.contains(".") ? "IPv6" : "IPv4"
                reader.warn(
                    .trustsEveryone, value,
                    "\(quoted(text)) in '\(value.name)' trusts every \(family) address: any client can claim to be another",
                    advice: "name the addresses of your proxies")
            }
            return [block]
        } catch {
            let (message, meant) = explained(error, text)
            reader.reject(
                value, "'\(value.name)' has \(quoted(text)); \(message)",
                meant.map { value.writing("\"\($0)\"") })
            return []
        }
    }

    /// The problem of a block, and a guess at the intended one.
    private static func explained(_ problem: CIDRBlock.Problem, _ text: String) -> (message: String, meant: String?) {
        switch problem {
        case .hostBitsSet(let block): return ("bits after the prefix are set; the network is \(block)", block)
        case .prefixTooLong(let limit): return ("expected a prefix of at most \(limit) bits", nil)
        case .notAPrefixLength:
            return ("expected the number of bits of the prefix after the '/', like '10.0.0.0/8'", nil)
        case .notAnAddress:
            let expected = "expected an address, a block like '10.0.0.0/8', \"loopback\" or \"private\""
            // With the port that an address to connect to has.
            if SocketAddress(text) != nil, let colon = text.lastIndex(of: ":") {
                return (expected, text[..<colon].filter { $0 != "[" && $0 != "]" })
            }
            let names = words.map(\.name) + ["localhost"]
            let close = Spelling.closest(to: text, among: names)
            return (expected, close == "localhost" ? "loopback" : close)
        }
    }
}

extension ConfigurationType where Value == ForwardedFields.Family {
    private static var words: [(name: String, value: ForwardedFields.Family)] {
        ForwardedFields.Family.allCases.map { family in
            switch family {
            case .xForwarded: ("x-forwarded", family)
            case .forwarded: ("forwarded", family)
            case .none: ("none", family)
            }
        }
    }

    static var forwardedHeader: Self {
        Self(expected: words.map { "`\"\($0.name)\"`" }.joined(separator: ", ")) { value, reader in
            reader.choice(value, of: words) { $0.lowercased().hasPrefix("x-forwarded") ? "x-forwarded" : nil }
        }.taking(.oneOf(words: words.map(\.name))).shown { family in
            "\"\(words.first { $0.value == family }?.name ?? "")\""
        }
    }
}
