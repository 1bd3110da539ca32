internal import ACME
internal import AppSiteAssociation
internal import Diagnostics
internal import DomainNames
internal import JSONSyntax
internal import URLPatterns

// How the values of `acme` are read.

extension ConfigurationReader {
    /// Reports that the terms of service are not agreed to; what else is wrong is found all the same.
    mutating func checkTerms(_ acme: ConfigurationValue) {
        guard acme.node.object != nil, !configuration.acme.agreesToTerms else { return }
        let value = acme["agreeToTerms"]
        // Another type was reported.
        if value == nil || value?.node.boolean == false {
            let start = acme.node.range.start
            reject(
                .acmeTerms, value?.node.range ?? SourceRange(start: start, end: start + 1),
                (value ?? acme).pointer,
                """
                'acme.agreeToTerms' is not true; read the CA's terms of service, then write "agreeToTerms": true
                """)
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
                reader.reject(
                    value,
                    "'\(value.name)' is \(quoted(text, limit: 120)); expected an 'https://' URL: ACME needs HTTPS",
                    reader.replacement(
                        of: value.node.range, with: JSONOutput.string("https://\(text.dropFirst(7))").text))
                return nil
            }
            if lowercase == "https://" {
                guard let problem = problem(text) else { return .other("https://\(text.dropFirst(8))") }
                reader.reject(value, "'\(value.name)' is \(quoted(text, limit: 120)); \(problem)")
                return nil
            }
            let close = text.utf8.count > 64 ? nil : Spelling.closest(to: text, among: [letsEncrypt, staging])
            reader.reject(
                value,
                "'\(value.name)' is \(quoted(text)); expected \"\(letsEncrypt)\", \"\(staging)\" or an 'https://' URL",
                close.map { reader.replacement(of: value.node.range, with: "\"\($0)\"") })
            return nil
        }.shown { $0 == .letsEncrypt ? "\"\(letsEncrypt)\"" : "\"\($0.url)\"" }
    }

    /// The fault of a URL that begins with `https://`; `nil` if there is none.
    private static func problem(_ url: String) -> String? {
        guard url.utf8.count <= longestURL else { return "expected a URL of at most \(grouped(longestURL)) bytes" }
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "expected a URL without white space, and in ASCII"
        }
        if url.contains("#") { return "expected a URL without a fragment" }
        let authority = url.dropFirst(8).prefix { $0 != "/" && $0 != "?" }
        if authority.contains("@") { return "expected a URL without a user" }
        let host: Substring
        var port: Substring?
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard IPAddress(String(host)) != nil, host.contains(":"), rest.isEmpty || rest.hasPrefix(":") else {
                return "expected an IPv6 address in the brackets"
            }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = parts[0]
            port = parts.count > 1 ? parts[1] : nil
            guard DNSName.isValid(host) else { return "expected a host name after 'https://'" }
        }
        guard let port else { return nil }
        let isNumber = !port.isEmpty && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber && (1...65_535).contains(Int(port) ?? 0) ? nil : "expected a port from 1 to 65535"
    }
}

extension ConfigurationReader {
    /// The elements of an array; a string alone is one that somebody forgot the brackets of.
    mutating func elements(_ list: ConfigurationValue, example: String) -> [ConfigurationValue]? {
        if let elements = list.elements { return elements }
        let range = list.node.range
        let fix =
            list.node.string == nil ? nil : replacement(of: range, with: "[\(text(range))]", "wrap it in '[ ]'")
        reject(list, "'\(list.name)' is \(list.kind); expected an array like \(example)", fix)
        return nil
    }

    /// A string in an array.
    mutating func element(_ value: ConfigurationValue, example: String) -> String? {
        if let text = value.node.string?.text { return text }
        reject(value, "'\(value.name)' has \(value.kind); expected a string like \(example)")
        return nil
    }
}

extension ConfigurationType where Value == [String] {
    private static var scheme: String { "mailto:" }

    static var contacts: Self {
        let example = "\"ops@example.com\""
        return Self(expected: "an array of e-mail addresses") { list, reader in
            guard let elements = reader.elements(list, example: "[\(example)]") else { return nil }
            return elements.compactMap { value in
                guard let text = reader.element(value, example: example) else { return nil }
                let address = text.lowercased().hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : text
                if isAddress(address) { return address }
                reader.reject(
                    value,
                    "'\(value.name)' has \(quoted(text, limit: 120)); expected one e-mail address, like \(example)")
                return nil
            }
        }.shown { $0.isEmpty ? "[]" : "\($0)" }
    }

    /// One address as it can be in a `mailto:` URL (RFC 8555, section 7.3): no list, no header fields.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 320
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "?") }
    }

    static var excludedSites: Self {
        let example = "\"www.example.com\""
        return Self(expected: "an array of names of folders of sites") { list, reader in
            guard let elements = reader.elements(list, example: "[\(example)]") else { return nil }
            return elements.compactMap { reader.element($0, example: example) }
        }.shown { $0.isEmpty ? "[]" : "\($0)" }
    }
}

extension ConfigurationType where Value == [ChallengeType] {
    static var challenges: Self {
        let known = ChallengeType.allCases.map(\.rawValue)
        let words = known.map { "\"\($0)\"" }
        let expected = "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
        return Self(expected: "an array of \(words.map { "`\($0)`" }.joined(separator: ", "))") { list, reader in
            guard let elements = reader.elements(list, example: "[\"tls-alpn-01\"]") else { return nil }
            if elements.isEmpty { reader.reject(list, "'\(list.name)' is empty; expected at least one of \(expected)") }
            var types: [ChallengeType] = []
            for value in elements {
                guard let text = reader.element(value, example: "\"tls-alpn-01\"") else { continue }
                guard let type = ChallengeType(rawValue: text) else {
                    let reason = text == "dns-01" ? "the server cannot write DNS records; expected" : "expected"
                    let close = text.utf8.count > 32 ? nil : Spelling.closest(to: text, among: known)
                    reader.reject(
                        value, "'\(value.name)' has \(quoted(text)); \(reason) \(expected)",
                        text == "dns-01"
                            ? nil : close.map { reader.replacement(of: value.node.range, with: "\"\($0)\"") })
                    continue
                }
                if types.contains(type) {
                    reader.reject(value, "'\(value.name)' has \(quoted(text)) twice; expected each challenge once")
                } else {
                    types.append(type)
                }
            }
            return types.isEmpty ? nil : types
        }.shown { types in "[\(types.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]" }
    }
}

extension ConfigurationType where Value == ACMEConfiguration.ExternalAccount? {
    private static var example: String { #"{"kid": "key-1", "hmacKeyFile": "eab.key"}"# }

    static var externalAccount: Self {
        Self(expected: "an object with `kid` and `hmacKeyFile`, or `null`") { value, reader in
            if case .null = value.node.value { return .some(nil) }
            guard let object = value.node.object else {
                reader.reject(value, "'\(value.name)' is \(value.kind); expected an object like \(example)")
                return nil
            }
            let keys = ["kid", "hmacKeyFile"]
            reader.rejectUnknownKeys(of: object, value, known: keys)
            let missing = keys.filter { value[$0] == nil }
            if !missing.isEmpty {
                let names = missing.map { "\"\($0)\"" }.joined(separator: " and ")
                reader.reject(value, "'\(value.name)' is an object without \(names); expected one like \(example)")
            }
            let identifier = value["kid"].flatMap { text($0, "the identifier of the key", &reader) }
            let file = value["hmacKeyFile"].flatMap { text($0, "the path of a file", &reader) }
            guard let identifier, let file else { return nil }
            return ACMEConfiguration.ExternalAccount(keyIdentifier: identifier, hmacKeyFile: reader.resolved(file))
        }.shown { $0 == nil ? "null" : example }
    }

    private static func text(
        _ value: ConfigurationValue, _ what: String, _ reader: inout ConfigurationReader
    ) -> String? {
        guard let text = reader.string(value) else { return nil }
        if ACMEText.isUsable(text) { return text }
        reader.reject(value, "'\(value.name)' is \(quoted(text)); expected \(what)")
        return nil
    }
}

/// The test whether a text can be a name or a path.
private enum ACMEText {
    static func isUsable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 4_096 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}

extension ConfigurationType where Value == String? {
    /// - Parameter what: what the text is.
    static func optionalText(_ what: String) -> Self {
        Self(expected: "\(what), or `null`") { value, reader in
            if case .null = value.node.value { return .some(nil) }
            guard let text = reader.string(value) else { return nil }
            if ACMEText.isUsable(text) { return text }
            reader.reject(value, "'\(value.name)' is \(quoted(text)); expected \(what)")
            return nil
        }.shown { $0 ?? "null" }
    }

    static var optionalFolder: Self {
        Self(expected: "the path of a folder") { value, reader in
            if case .null = value.node.value { return .some(nil) }
            return ConfigurationType<String>.folder.read(value, &reader)
        }.shown { $0 ?? "null" }
    }

    static var optionalFile: Self {
        Self(expected: "the path of a file, or `null`") { value, reader in
            if case .null = value.node.value { return .some(nil) }
            guard let text = reader.string(value) else { return nil }
            if ACMEText.isUsable(text), !text.hasSuffix("/") { return reader.resolved(text) }
            reader.reject(value, "'\(value.name)' is \(quoted(text)); expected the path of a file")
            return nil
        }.shown { $0 ?? "null" }
    }
}
