internal import BoundedText

/// A URL as pages and documents have it: printable ASCII without the characters that a URL has only percent-encoded.
struct PageURL: Sendable, Equatable {
    let bytes: [UInt8]

    /// - Parameter bytes: a URL, whose other characters are percent-encoded here.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes.contains { !Self.isPlain($0) } ? Self.encoded(bytes, keeping: Self.isPlain) : bytes
    }

    var text: String { String(text: bytes) }

    /// The bytes with `%` and two digits for all that are not kept.
    static func encoded(_ bytes: some Collection<UInt8>, keeping isKept: (UInt8) -> Bool) -> [UInt8] {
        let digits: StaticString = "0123456789ABCDEF"
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 2)
        for byte in bytes {
            if isKept(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(digits.utf8Start[Int(byte >> 4)])
                result.append(digits.utf8Start[Int(byte & 15)])
            }
        }
        return result
    }

    /// The bytes with everything escaped but what every part of a URL may have as it is.
    static func component(_ bytes: some Collection<UInt8>) -> [UInt8] { encoded(bytes, keeping: URLBytes.isUnreserved) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: byte > 0x20 && byte < 0x7F
        }
    }
}

/// The address of a link on a page: `https:`, `intent:` or of the app's own scheme, and nothing else.
struct PageAddress: Sendable, Equatable {
    let text: String

    private init(_ bytes: [UInt8]) { text = PageURL(bytes).text }

    /// - Parameter url: nil is returned for one that does not begin with `https://`.
    init?(https url: [UInt8]) {
        guard url.starts(with: "https://".utf8) else { return nil }
        self.init(url)
    }

    /// - Parameter country: two letters, or nil for that of the visitor.
    static func appStore(id: [UInt8], country: [UInt8]?) -> PageAddress {
        let folder = country.map { PageURL.component($0) + "/".utf8 } ?? []
        return PageAddress(Array("https://apps.apple.com/".utf8) + folder + "app/id".utf8 + PageURL.component(id))
    }

    /// - Parameter appURL: what the app can ask the store for after its installation; nil for nothing.
    static func googlePlay(package: [UInt8], appURL: PageURL?) -> PageAddress {
        var bytes = Array("https://play.google.com/store/apps/details?id=".utf8) + PageURL.component(package)
        if let appURL {
            bytes += "&referrer=".utf8
            bytes += PageURL.component("link=".utf8 + PageURL.component(appURL.bytes))
        }
        return PageAddress(bytes)
    }

    /// The link that opens an app on Android, or else its page in the store (Chrome's `intent:` scheme).
    static func intent(_ url: PageURL, package: [UInt8], fallback: PageAddress) -> PageAddress? {
        guard let colon = url.bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = url.bytes[..<colon]
        var bytes = Array("intent:".utf8) + url.bytes[(colon + 1)...] + "#Intent;scheme=".utf8 + scheme
        bytes += ";package=".utf8 + PageURL.component(package)
        bytes += ";S.browser_fallback_url=".utf8 + PageURL.component(fallback.text.utf8) + ";end".utf8
        return PageAddress(bytes)
    }

    /// The link that opens the app on Apple's systems, which never do so for a link to the domain of the page itself.
    ///
    /// - Parameter host: of the page.
    init?(onApple url: PageURL, host: [UInt8], app: LinkApp) {
        let prefix = Array("https://".utf8)
        guard url.bytes.starts(with: prefix) else {
            guard let scheme = app.scheme, url.bytes.starts(with: scheme + ":".utf8) else { return nil }
            self.init(url.bytes)
            return
        }
        let rest = url.bytes[prefix.count...]
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let authority = rest[..<end].split(separator: UInt8(ascii: ":"), maxSplits: 1).first ?? []
        let isOtherHost =
            !authority.isEmpty && !authority.map(CaseFolding.ascii).elementsEqual(host.map(CaseFolding.ascii))
        if isOtherHost {
            self.init(url.bytes)
        } else if let openHost = app.openHost {
            self.init(prefix + openHost + rest[end...])
        } else if let scheme = app.scheme {
            self.init(scheme + "://".utf8 + rest)
        } else {
            return nil
        }
    }
}
