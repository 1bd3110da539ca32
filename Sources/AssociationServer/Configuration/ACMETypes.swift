internal import ACME
internal import AppSiteAssociation
internal import Diagnostics
internal import DomainNames
internal import JSONSyntax
internal import URLPatterns

// The types of the values of `acme`.

extension ConfigurationReader {
    /// Reports that the terms of service are not agreed to; what else is wrong is found all the same.
    mutating func checkTerms(_ acme: ConfigurationValue) {
        guard acme.node.object != nil, !configuration.acme.agreesToTerms else { return }
        let value = acme["agreeToTerms"]
        // Another type was reported.
        if value == nil || value?.node.boolean == false {
            let start = acme.node.range.start
            reject(
                value?.node.range ?? SourceRange(start: start, end: start + 1), (value ?? acme).pointer,
                """
                'acme.agreeToTerms' is not true; read the CA's terms of service, then write "agreeToTerms": true
                """, rule: .acmeTerms)
        }
        configuration.acme.agreesToTerms = true
    }
}

extension ConfigurationType where Value == ACMEConfiguration.Directory {
    private static var letsEncrypt: String { "letsencrypt" }
    private static var staging: String { "letsencrypt-staging" }
    /// In bytes; a CA's URLs have this limit, too.
    private static var longestURL: Int { 2_048 }

    static var acmeDirectory: Self {
        Self(expected: "`\"\(letsEncrypt)\"`, `\"\(staging)\"`, or an `https://` URL") { value, reader in
            guard let text = reader.string(value) else { return nil }
            switch text {
            case letsEncrypt: return .letsEncrypt
            case staging: return .letsEncryptStaging
            default: break
            }
            let lowercase = text.prefix(8).lowercased()
            if lowercase.hasPrefix("http://") {
                return reader.reject(
                    value, quoted(text, limit: 120), expected: "an 'https://' URL: ACME needs HTTPS",
                    value.writing(string: "https://\(text.dropFirst(7))"))
            }
            if lowercase == "https://" {
                guard let problem = problem(text) else { return .other("https://\(text.dropFirst(8))") }
                return reader.reject(value, quoted(text, limit: 120), expected: problem)
            }
            return reader.reject(
                value, quoted(text), expected: "\"\(letsEncrypt)\", \"\(staging)\" or an 'https://' URL",
                Spelling.closest(to: text, among: [letsEncrypt, staging]).map { value.writing("\"\($0)\"") })
        }.shown { $0 == .letsEncrypt ? "\"\(letsEncrypt)\"" : "\"\($0.url)\"" }
    }

    /// The form that a URL does not have that begins with `https://`; `nil` if it has all.
    private static func problem(_ url: String) -> String? {
        guard url.utf8.count <= longestURL else { return "a URL of at most \(grouped(longestURL)) bytes" }
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "a URL without white space, and in ASCII"
        }
        if url.contains("#") { return "a URL without a fragment" }
        let authority = url.dropFirst(8).prefix { $0 != "/" && $0 != "?" }
        if authority.contains("@") { return "a URL without a user" }
        let host: Substring
        var port: Substring?
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard IPAddress(String(host)) != nil, host.contains(":"), rest.isEmpty || rest.hasPrefix(":") else {
                return "an IPv6 address in the brackets"
            }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = parts[0]
            port = parts.count > 1 ? parts[1] : nil
            guard DNSName.isValid(host) else { return "a host name after 'https://'" }
        }
        guard let port else { return nil }
        let isNumber = !port.isEmpty && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber && (1...65_535).contains(Int(port) ?? 0) ? nil : "a port from 1 to 65535"
    }
}

extension ConfigurationType where Value == [String] {
    private static var scheme: String { "mailto:" }

    static var contacts: Self {
        let example = "\"ops@example.com\""
        return array(expected: "an array of e-mail addresses", example: example) { text, value, reader in
            let address = text.lowercased().hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : text
            return isAddress(address)
                ? address
                : reader.reject(value, quoted(text, limit: 120), expected: "one e-mail address, like \(example)")
        }
    }

    /// One address as it can be in a `mailto:` URL (RFC 8555, section 7.3): no list, no header fields.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 320
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "?") }
    }

    static var excludedSites: Self {
        array(expected: "an array of names of folders of sites", example: "\"www.example.com\"") { text, _, _ in text }
    }
}

extension ConfigurationType where Value == [ChallengeType] {
    static var challenges: Self {
        let words = ChallengeType.allCases.map { (name: $0.rawValue, value: $0) }
        let names = words.map { "`\"\($0.name)\"`" }.joined(separator: ", ")
        let example = "\"tls-alpn-01\""
        return Self(expected: "an array of \(names)") { list, reader in
            guard let elements = reader.elements(list, example: "[\(example)]") else { return nil }
            let known = reader.alternatives(words.map(\.name))
            if elements.isEmpty { reader.reject(list, "'\(list.name)' is empty; expected at least one of \(known)") }
            var types: [ChallengeType] = []
            for value in elements {
                guard let text = reader.string(value, expected: "a string like \(example)") else { continue }
                if text == "dns-01" {
                    let reason = "the server cannot write DNS records; expected \(known)"
                    reader.reject(value, "'\(value.name)' has \(quoted(text)); \(reason)")
                } else if let type = reader.choice(value, of: words) {
                    if types.contains(type) {
                        reader.reject(value, "'\(value.name)' has \(quoted(text)) twice; expected each challenge once")
                    } else {
                        types.append(type)
                    }
                }
            }
            return types.isEmpty ? nil : types
        }.taking(.array(of: .oneOf(words: words.map(\.name)))).shown { types in
            "[\(types.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]"
        }
    }
}

extension ConfigurationType where Value == ACMEConfiguration.ExternalAccount? {
    private static var example: String { #"{"kid": "key-1", "hmacKeyFile": "eab.key"}"# }
    private static var keys: [String] { ["kid", "hmacKeyFile"] }
    private static var accountSchema: JSONSchema {
        JSONSchema.object.requiring(keys).closed()
            .with(properties: Dictionary(uniqueKeysWithValues: keys.map { ($0, JSONSchema.string.json) }))
    }

    static var externalAccount: Self {
        Self(expected: "an object with `kid` and `hmacKeyFile`, or `null`") { value, reader in
            if value.isNull { return .some(nil) }
            guard let object = value.node.object else {
                return reader.reject(value, expected: "an object like \(example)")
            }
            reader.rejectUnknownKeys(of: object, value, known: keys)
            let missing = keys.filter { value[$0] == nil }
            if !missing.isEmpty {
                let names = missing.map { "\"\($0)\"" }.joined(separator: " and ")
                reader.reject(value, "'\(value.name)' is an object without \(names); expected one like \(example)")
            }
            let identifier = value["kid"].flatMap { Text.plain("the identifier of the key").read($0, &reader) }
            let file = value["hmacKeyFile"].flatMap { Text.plain("the path of a file").path.read($0, &reader) }
            guard let identifier, let file else { return nil }
            return ACMEConfiguration.ExternalAccount(keyIdentifier: identifier, hmacKeyFile: file)
        }.taking(.any(of: [accountSchema, .type("null")])).shown { $0 == nil ? "null" : example }
    }

    private typealias Text = ConfigurationType<String>
}

extension ConfigurationType where Value == String {
    /// A text that can be a name or a path.
    ///
    /// - Parameter what: what the text is.
    static func plain(_ what: String, ends isEnd: @escaping @Sendable (String) -> Bool = { _ in true }) -> Self {
        text(expected: what, what) { text in
            !text.isEmpty && text.utf8.count <= 4_096 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                && isEnd(text)
        }
    }
}

extension ConfigurationType where Value == String? {
    /// - Parameter what: what the text is.
    static func optionalText(_ what: String) -> Self { ConfigurationType<String>.plain(what).orNull() }

    static var optionalFolder: Self { ConfigurationType<String>.folder.orNull(expected: "the path of a folder") }

    static var optionalFile: Self {
        ConfigurationType<String>.plain("the path of a file") { !$0.hasSuffix("/") }.path.orNull()
    }
}
