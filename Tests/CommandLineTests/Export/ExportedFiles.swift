import Foundation
import TestSupport
import Testing

/// Files that `aasa export` has written for a host, and what a server has to answer with them.
final class ExportedFiles: Sendable {
    /// Bytes that something on the way could change: letters beyond ASCII, CR LF, blanks at the end.
    static let association =
        "{\"webcredentials\": {\"apps\": [\"7K3QWZ9PLM.com.shop.app\"]},\r\n \"appclips\": {\"apps\": []}}  \n"
    static let links = #"""
        [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app",
          "package_name": "com.shop.app", "sha256_cert_fingerprints": ["\#((["AB"] + (0x10..<0x2F).map { String($0, radix: 16, uppercase: true) }).joined(separator: ":"))"]}}]

        """#

    static let associationPath = "/.well-known/apple-app-site-association"
    static let linksPath = "/.well-known/assetlinks.json"

    let tool: BuiltTool
    /// The folder that was written.
    let path: String
    /// The names of the exported files.
    private let files: [(path: String, text: String)]

    /// - Parameters:
    ///   - folder: its name in a temporary folder.
    ///   - hasAssociation: whether the association file is exported, or `assetlinks.json` alone.
    init(_ host: String, to folder: String, hasAssociation: Bool = true) throws {
        tool = try BuiltTool()
        path = "\(tool.folder.path)/\(folder)"
        files =
            (hasAssociation ? [(Self.associationPath, Self.association)] : []) + [(Self.linksPath, Self.links)]
        try tool.write(Self.association, to: "association")
        try tool.write(Self.links, to: "links")
        let names = hasAssociation ? ["association", "links"] : ["links"]
        let outcome = try Shell.run(
            [tool.executable, "export", host] + names + ["--out", path], in: tool.folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    /// The line that includes an exported configuration, as its comment and the steps tell users to write it.
    ///
    /// - Parameter line: what is before it in the comment, and how it begins; nil for the whole configuration.
    func included(_ name: String, _ line: (before: String, beginning: String)?) throws -> String {
        guard let line else { return try text(name) }
        let found = try text(name).split(separator: "\n").first { $0.hasPrefix(line.before + line.beginning) }
        return String(try #require(found).dropFirst(line.before.count))
    }

    /// Expects that Apple and Google get the files, whatever else is in the site.
    ///
    /// - Parameter headers: more fields of the requests.
    func expectServed(by site: TrappedSite, headers: [String] = []) throws {
        for (path, text) in files {
            for method in ["GET", "HEAD"] {
                let answer = try site.ask(path, method: method, headers: headers)
                let comment: Comment = "\(site.name) \(method) \(path): \(answer.fields)"
                #expect(answer.status == 200, comment)
                #expect(answer["Content-Type"] == ["application/json"], comment)
                #expect(answer.body == (method == "GET" ? Array(text.utf8) : []), comment)
                #expect(answer["Location"].isEmpty && answer["WWW-Authenticate"].isEmpty, comment)
                let lifetimes = answer["Cache-Control"].flatMap { $0.matches(of: #/max-age=(\d+)/#) }.map { Int($0.1) }
                #expect(answer["Cache-Control"].count <= 1 && answer["Expires"].isEmpty, comment)
                #expect(lifetimes.allSatisfy { $0 ?? .max <= 3_600 }, comment)
            }
        }
    }

    /// That the site has a trap which works: without the exported configuration, none of the files is what it has to be.
    func expectTrapped(in control: TrappedSite) throws {
        for (path, text) in files {
            let answer = try control.ask(path)
            let isGood =
                answer.status == 200 && answer["Content-Type"] == ["application/json"]
                && answer.body == Array(text.utf8)
            #expect(!isGood, "\(control.name) \(path) is no trap")
        }
    }

    private static let otherPaths = [
        "/", "/about", "/about/", "/.env", "/.well-known/", "/.well-known/other", "/.well-known/assetlinks.json.bak",
        "/.well-known/apple-app-site-association.json", "/.well-known/apple-app-site-association/more",
        "/apple-app-site-association", "/assetlinks.json", "/x/.well-known/assetlinks.json",
    ]

    /// That nothing else is changed, but for paths with an end that the host is known to change.
    func expectOthersUnchanged(in site: TrappedSite, as control: TrappedSite, except end: String? = nil) throws {
        let others = Self.otherPaths + (files.count == 2 ? [] : [Self.associationPath])
        for path in others where end.map(path.hasSuffix) != true {
            let (answer, expected) = (try site.ask(path), try control.ask(path))
            #expect(site.neutral(answer) == control.neutral(expected), "\(site.name) \(path)")
        }
    }
}

/// A site of a running server.
struct TrappedSite: Sendable {
    /// The value of `Host`.
    let name: String
    let port: Int

    func ask(_ path: String, method: String = "GET", headers: [String] = []) throws -> PlainAnswer {
        let socket = try RawSocket(port: port)
        let fields = ["Host: \(name)", "Connection: close"] + headers
        socket.send("\(method) \(path) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n")
        return try #require(PlainAnswer(socket.receiveAll().bytes), "\(name) \(method) \(path)")
    }

    /// The answer without the names in it, to compare two sites.
    func neutral(_ answer: PlainAnswer) -> [String] {
        let names = ["Content-Type", "Location", "WWW-Authenticate", "Cache-Control", "X-Content-Type-Options"]
        let text = names.map { "\($0): \(answer[$0])" } + [String(decoding: answer.body, as: UTF8.self)]
        return ["\(answer.status)"] + text.map { $0.replacing(":\(port)", with: "").replacing(name, with: "HOST") }
    }
}

/// An answer that ends with its connection.
struct PlainAnswer: Sendable {
    let status: Int
    let fields: [String]
    let body: [UInt8]

    init?(_ bytes: [UInt8]) {
        let end = Array("\r\n\r\n".utf8)
        guard let head = bytes.firstRange(of: end) else { return nil }
        fields = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = fields.first.flatMap({ Int($0.dropFirst(9).prefix(3)) }) else { return nil }
        self.status = status
        body = Array(bytes[head.upperBound...])
    }

    /// The values of all fields of a name.
    subscript(name: String) -> [String] {
        fields.dropFirst().filter { $0.lowercased().hasPrefix("\(name.lowercased()):") }.map {
            $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }
}
