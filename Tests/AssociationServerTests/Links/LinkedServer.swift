import AssociationServer
import EventLoops
import Foundation
import ServiceHealth
import TestSupport
import Testing

/// A server of `localhost` whose site has links and pages, over HTTPS at its first listener and plain at its second.
final class LinkedServer {
    let served: ServedListeners

    static let association = "/.well-known/apple-app-site-association"
    static let kinds: [ListenerKind] = [
        .https(proxyProtocol: false), .plain(proxyProtocol: false, health: false),
    ]

    /// - Parameter text: of `links.json`; nil for none.
    init(_ text: String? = links(), _ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
        served = try ServedListeners(Self.kinds) { configuration in
            configuration.plainRedirect = false
            change(&configuration)
        }
        if let text {
            try write(Self.image("icon"), "icon.webp")
            try write(Self.image("summer"), "summer.webp")
            try write(text)
            reload()
        }
    }

    /// A `links.json` of each kind of answer.
    static func links(sale: String = "https://www.example.com/sale", title: String = "Summer sale") -> String {
        """
        {"app": {"name": "Shop", "icon": "icon.webp", "appStore": {"id": "1234567890"},
                 "play": {"package": "com.example.shop"}, "openHost": "open.example.com"},
         "languages": ["en", "de"], "cacheMaxAge": 60,
         "links": {"/summer": {"title": {"en": "\(title)", "de": "Sommer"}, "to": "\(sale)", "image": "summer.webp"},
                   "/go": {"to": "https://www.example.com/go", "answer": "redirect", "keepQuery": true},
                   "/stay": {"to": "https://www.example.com/stay", "answer": "redirect", "status": 307}},
         "pages": [{"route": "/p/{id}", "to": "https://www.example.com/products/{id}", "answer": "redirect"}]}
        """
    }

    /// The first bytes of a WebP image, and no more.
    static func image(_ text: String) -> String { "RIFF\u{4}\u{0}\u{0}\u{0}WEBP\(text)" }

    func write(_ text: String, _ name: String = "links.json") throws {
        try served.folder.write(text, to: "sites/localhost/\(name)")
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(served.folder.path)/sites/localhost/\(name)")
    }

    func reload() { served.server.reloadAndWait() }

    /// The answer over HTTPS, or of the plain listener.
    func answer(
        _ target: String, isPlain: Bool = false, method: String = "GET", fields: String = ""
    ) throws -> HTTPAnswer {
        let request = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)\r\n"
        if isPlain {
            let socket = try served.connect(1)
            socket.send(request)
            let bytes = socket.receiveAll().bytes
            return try #require(HTTPAnswer.read(bytes, isHead: method == "HEAD")).0
        }
        let client = try HTTPSClient(port: served.port())
        try client.handshake(andSend: request)
        return try client.answer(isHead: method == "HEAD")
    }

    /// The state of `links.json`, and of the association file.
    var states: [String] {
        ["links.json", "apple-app-site-association"].map { name in
            served.server.facts.sites.first?.site[name]?.state.rawValue ?? "none"
        }
    }
}

extension HTTPAnswer {
    /// The head without what is different from one second to the next.
    var timeless: [String] { lines.filter { !$0.hasPrefix("Date: ") } }
}
