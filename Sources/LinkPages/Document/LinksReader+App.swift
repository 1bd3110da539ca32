internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

extension LinksReader {
    /// The most stores after the two big ones.
    private static let maxStores = 10

    mutating func app(_ node: JSONNode) -> LinkApp? {
        guard let object = node.object else {
            findings.invalid(node, "app", in: .root, expected: "an object")
            return nil
        }
        findings.unknownKeys(
            object, besides: ["name", "icon", "appStore", "play", "stores", "openHost", "scheme"], in: .app)
        var app = LinkApp(name: [], stores: [])
        if let name = object["name"] {
            app.name = plainText(name, "name", in: .app) ?? []
        } else {
            findings.missing("name", of: node, in: .app, "write the name of the app, as people know it")
        }
        if let icon = object["icon"], let name = string(icon, "icon", in: .app, "a string with the name of a file") {
            app.icon = file(name, icon, "icon", .app, limit: LinkLimits.maxIconBytes)
        }
        if let value = object["appStore"] { appStore(value, of: &app) }
        if let value = object["play"] { app.playPackage = playPackage(value) }
        if let value = object["stores"] { app.stores = stores(value) }
        if let value = object["openHost"] { app.openHost = openHost(value) }
        if let value = object["scheme"] { app.scheme = scheme(value) }
        if app.appStoreID != nil, object["openHost"] == nil, object["scheme"] == nil {
            findings.report(
                .noOpenButton, "pages have no button on an iPhone that opens the app",
                at: object["appStore"]?.object?["id"]?.range ?? node.range,
                LinkContainer.appStore.pointer.member("id"),
                advice:
                    "add 'openHost' with a second host of the app, or 'scheme'; until then only the Smart App Banner "
                    + "opens it")
        }
        return app
    }

    private mutating func appStore(_ node: JSONNode, of app: inout LinkApp) {
        guard let object = node.object else {
            return findings.invalid(node, "appStore", in: .app, expected: "an object with \"id\"")
        }
        findings.unknownKeys(object, besides: ["id", "country"], in: .appStore)
        guard let id = object["id"] else {
            return findings.missing(
                "id", of: node, in: .appStore, "write the digits after 'id' in the app's App Store URL")
        }
        let digits = id.string.map { Array($0.text.utf8) } ?? []
        if (1...20).contains(digits.count), digits.allSatisfy(\.isDigit) {
            app.appStoreID = digits
        } else {
            findings.invalid(id, "id", in: .appStore, expected: "a string of digits such as \"1234567890\"")
        }
        guard let country = object["country"] else { return }
        let letters = country.string.map { $0.text.utf8.map(CaseFolding.ascii) } ?? []
        if letters.count == 2, letters.allSatisfy(\.isLetter) {
            app.appStoreCountry = letters
        } else {
            findings.invalid(country, "country", in: .appStore, expected: "two letters such as \"de\"")
        }
    }

    private mutating func playPackage(_ node: JSONNode) -> [UInt8]? {
        guard let object = node.object else {
            findings.invalid(node, "play", in: .app, expected: "an object with \"package\"")
            return nil
        }
        findings.unknownKeys(object, besides: ["package"], in: .play)
        guard let value = object["package"] else {
            findings.missing("package", of: node, in: .play, "write the app's application ID, such as com.example.shop")
            return nil
        }
        let name = value.string.map { Array($0.text.utf8) } ?? []
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard name.count <= 255, parts.count > 1,
            parts.allSatisfy({ $0.first?.isLetter == true && $0.allSatisfy(\.isWord) })
        else {
            findings.invalid(value, "package", in: .play, expected: "an application ID such as \"com.example.shop\"")
            return nil
        }
        return name
    }

    private mutating func stores(_ node: JSONNode) -> [LinkStore] {
        guard let values = node.array, values.count <= Self.maxStores else {
            findings.invalid(
                node, "stores", in: .app, node.array.map { "an array of \(grouped($0.count)) stores" },
                expected: "an array of at most \(Self.maxStores) objects")
            return []
        }
        var stores: [LinkStore] = []
        for (index, value) in values.enumerated() {
            let container = LinkContainer.store(index)
            guard let object = value.object else {
                findings.report(
                    .invalidLinksValue, "an element of 'app.stores' is \(value.kind); expected an object",
                    at: value.range, container.pointer)
                continue
            }
            findings.unknownKeys(object, besides: ["name", "url"], in: container)
            for key in ["name", "url"] where object[key] == nil {
                findings.missing(key, of: value, in: container, "a store has a name and a URL")
            }
            let name = object["name"].flatMap { plainText($0, "name", in: container) }
            let url = object["url"].flatMap { target($0, "url", in: container, TargetReader(key: "app.stores.url")) }
            if let name, let url = url?.constant { stores.append(LinkStore(name: name, url: url)) }
        }
        return stores
    }

    private mutating func openHost(_ node: JSONNode) -> [UInt8]? {
        guard let name = string(node, "openHost", in: .app, "a string with a host") else { return nil }
        guard let host = HostName(name), !host.isAddress else {
            findings.invalid(node, "openHost", in: .app, expected: "a host such as \"open.example.com\"")
            return nil
        }
        let bytes = Array(host.ascii.utf8)
        if let site, site.isOnly(bytes) {
            findings.report(
                .openHostIsThisHost, "'app.openHost' is the host of the pages themselves", at: node.range,
                LinkContainer.app.pointer.member("openHost"),
                advice: "name another host of the app: on an iPhone a link to the host of the page never opens an app")
        }
        return bytes
    }

    private mutating func scheme(_ node: JSONNode) -> [UInt8]? {
        guard let text = string(node, "scheme", in: .app, "a string with the app's URL scheme") else { return nil }
        let scheme = Array(text.utf8)
        func isLowercase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
        func report(_ message: String, _ advice: String) {
            findings.report(
                .invalidLinkTarget, "\(quoted(text)) in 'app.scheme' \(message)", at: node.range,
                LinkContainer.app.pointer.member("scheme"), advice: advice)
        }
        guard let first = scheme.first, isLowercase(first), scheme.count <= 64,
            scheme.allSatisfy({ isLowercase($0) || $0.isDigit || "+.-".utf8.contains($0) })
        else {
            report("is not a URL scheme", "write lowercase letters, digits, '+', '.' and '-', as in \"shop\"")
            return nil
        }
        guard !Self.foreignSchemes.contains(where: { $0.utf8.elementsEqual(scheme) }), !text.hasPrefix("itms") else {
            report("belongs to browsers, stores or the system", "write a scheme that only the app has")
            return nil
        }
        return scheme
    }

    /// The schemes that something else than an app of one's own handles; besides all that begin with `itms`.
    private static let foreignSchemes = [
        "http", "https", "javascript", "vbscript", "data", "file", "blob", "filesystem", "about", "chrome",
        "view-source", "content", "intent", "android-app", "market", "mailto", "tel", "sms", "facetime", "geo", "maps",
        "ftp", "ws", "wss",
    ]

    /// Reads a text that is the same in all languages.
    private mutating func plainText(_ node: JSONNode, _ key: String, in container: LinkContainer) -> [UInt8]? {
        let text = node.string?.text ?? ""
        guard (1...LinkLimits.maxTitle).contains(text.unicodeScalars.count) else {
            findings.invalid(
                node, key, in: container, node.string == nil ? nil : text.isEmpty ? "empty" : "too long",
                expected: "a text of 1 to \(LinkLimits.maxTitle) characters")
            return nil
        }
        return Array(text.utf8)
    }

    private mutating func string(
        _ node: JSONNode, _ key: String, in container: LinkContainer, _ expected: String
    ) -> String? {
        guard let string = node.string else {
            findings.invalid(node, key, in: container, expected: expected)
            return nil
        }
        return string.text
    }
}
