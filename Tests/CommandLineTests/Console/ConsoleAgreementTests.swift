import AssociationLint
import Diagnostics
import Foundation
import TestSupport
import Testing

/// The API of the console answers what the commands print (console.md, section 4).
@Suite("aasa console: the API and the commands agree", .waiting)
struct ConsoleAgreementTests {
    private let tool: BuiltTool
    private let console: RunningConsole

    private static let name = "apple-app-site-association"
    private static let rules = RuleRegistry.catalogue.rules.filter {
        $0.subject == .associationFile || $0.subject == .assetLinks
    }

    init() throws {
        tool = try BuiltTool()
        console = try RunningConsole([], in: tool.folder.url)
    }

    private static func fields(_ bytes: [UInt8]) -> [String: Any] {
        if let text = String(validating: bytes, as: UTF8.self) { return ["text": text] }
        return ["base64": Data(bytes).base64EncodedString()]
    }

    @Test("validate: the examples of all rules")
    func validate() throws {
        for (index, rule) in Self.rules.enumerated() {
            let name = rule.subject == .assetLinks ? "assetlinks.json" : Self.name
            // Most good examples have no finding, and so the same answer.
            let examples = index % 10 == 0 ? [rule.badBytes, Array(rule.good.utf8)] : [rule.badBytes]
            for (number, bytes) in examples.enumerated() {
                // A folder for each, since the name is part of the answer.
                let folder = "\(index)-\(number)"
                try tool.write(bytes, to: "\(folder)/\(name)")
                let printed = try tool.run(["validate", "--format", "json", name], in: folder)
                let answer = try console.post("validate", Self.fields(bytes).merging(["name": name]) { $1 })
                #expect(answer.status == 200 && answer.text == printed.text, "\(rule.code) \(number)")
            }
        }
    }

    @Test("validate: options")
    func options() throws {
        let file =
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"buy/*"},{"/":"/buy/x","exclude":true}]}]}}"#
        try tool.write(file, to: Self.name)
        let printed = try tool.run(
            "validate", "--format", "json", "--disable", "missing-leading-slash", "--severity", "dead-exclude=error",
            "--minimum-ios", "12.0", Self.name)
        let answer = try console.post(
            "validate",
            [
                "text": file, "disable": ["missing-leading-slash"], "severity": ["dead-exclude": "error"],
                "minimumIOS": "12.0",
            ])
        #expect(answer.text == printed.text)
        try tool.write(file, to: "\(Self.name).json")
        try tool.shell("rm \(Self.name)")
        let named = try tool.run("validate", "--format", "json", "\(Self.name).json")
        #expect(try console.post("validate", ["text": file, "name": "\(Self.name).json"]).text == named.text)
    }

    private static let file = """
        {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[
        {"/":"/help/*","exclude":true},{"/":"/buy/*","?":{"id":"?*"}},{"/":"/caf%C3%A9","#":"top"},{"/":"*","exclude":true},
        {"/":"/sale"}]}],"defaults":{"percentEncoded":true}},"webcredentials":{"apps":["x"]}}
        """
    private static let links = """
        [{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app",
        "package_name":"com.shop.app","sha256_cert_fingerprints":
        ["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"]},
        "relation_extensions":{"delegate_permission/common.handle_all_urls":{"dynamic_app_link_components":[
        {"/":"/help/*","exclude":true},{"/":"/buy/*"}]}}}]
        """
    private static let urls = [
        "https://shop.app/buy/7?id=1", "https://shop.app/Buy/7?ID=1", "https://shop.app/help/x",
        "https://shop.app/café#top",
        "https://www.shop.app/sale", "https://shop.app/sale", "ftp://x", "https://shop.app/%62uy/1?id=2#x",
    ]

    @Test("route: each URL, with a domain and without, with Android and without, explained and not")
    func route() throws {
        try tool.write(Self.file, to: Self.name)
        try tool.write(Self.links, to: "assetlinks.json")
        for domain in [nil, "shop.app", "*.shop.app"] {
            for (file, android) in [(Self.name, false), (Self.name, true), ("assetlinks.json", false)] {
                for explains in [true, false] {
                    let options =
                        (domain.map { ["--domain", $0] } ?? []) + (android ? ["--android", "assetlinks.json"] : [])
                        + (explains ? ["--explain"] : [])
                    let printed = try tool.run(
                        ["route", "--format", "json"] + options + [file] + Self.urls)
                    var request: [String: Any] = [
                        "text": file == Self.name ? Self.file : Self.links, "name": file,
                        "urls": Self.urls, "explain": explains,
                    ]
                    request["domain"] = domain
                    if android { request["assetlinks"] = ["text": Self.links] }
                    let answer = try console.post("route", request)
                    let lines = printed.text.split(separator: "\n").joined(separator: ",")
                    #expect(answer.text == "{\"results\":[\(lines)],\"version\":1}\n", "\(options) \(file)")
                    request["trace"] = false
                    let short = try console.post("route", request)
                    #expect(short.status == 200)
                    #expect(try Self.withoutTraces(short.text).isEqual(Self.withoutTraces(answer.text)))
                    #expect(!short.text.contains(#""trace""#), "\(options) \(file)")
                }
            }
        }
    }

    @Test("test: what aasa test prints of a list, with Android and without")
    func lists() throws {
        try tool.write(Self.file, to: Self.name)
        try tool.write(Self.links, to: "assetlinks.json")
        let lines =
            "# all\nhttps://shop.app/buy/7?id=1 7K3QWZ9PLM.com.shop.app\n!https://shop.app/help/x\n!https://shop.app/sale\n"
        let objects =
            #"[{"url":"https://shop.app/café#top","opens":"any"},{"url":"https://shop.app/Buy/7?id=1","opens":"any","#
            + #""android":{"opens":["com.shop.app"]}},{"url":"https://shop.app/help/x","excluded":true,"android":{"excluded":true}}]"#
        for (list, android) in [(lines, false), (objects, true)] {
            try tool.write(list, to: "cases")
            let options = android ? ["--android", "assetlinks.json"] : []
            let printed = try tool.run(["test", "--format", "json"] + options + [Self.name, "cases"]).object()
            var request: [String: Any] = ["text": Self.file, "cases": list]
            if android { request["assetlinks"] = ["text": Self.links] }
            let text = try console.post("test", request).text
            var object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let cases = try #require(object["cases"] as? [[String: Any]])
            object["cases"] = cases.map { one in
                one.filter { !["route", "held", "note", "remarks", "trace"].contains($0.key) }
            }
            for (key, value) in printed {
                #expect((object[key] as? NSObject)?.isEqual(value) == true, "\(key): \(object[key] ?? "") \(value)")
            }
        }
    }

    private static func withoutTraces(_ text: String) throws -> NSArray {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let results = try #require(object?["results"] as? [[String: Any]])
        return results.map { result in
            var result = result
            result["trace"] = nil
            if var android = result["android"] as? [String: Any] {
                android["trace"] = nil
                if let apps = android["apps"] as? [[String: Any]] {
                    android["apps"] = apps.map { $0.filter { $0.key != "trace" && $0.key != "nearMisses" } }
                }
                result["android"] = android
            }
            return result
        } as NSArray
    }

    @Test("each URL of a near miss is opened by the command, too")
    func nearMisses() throws {
        try tool.write(Self.file, to: Self.name)
        let answer = try console.post("route", ["text": Self.file, "urls": Self.urls, "domain": "shop.app"])
        let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
        let results = try #require(object?["results"] as? [[String: Any]])
        let misses = results.flatMap { $0["nearMisses"] as? [[String: Any]] ?? [] }
        #expect(Set(misses.compactMap { $0["change"] as? String }).isSuperset(of: ["letter-case", "earlier-exclude"]))
        for url in misses.compactMap({ $0["url"] as? String }) {
            let outcome = try tool.run("route", "--format", "json", "--domain", "shop.app", Self.name, url)
            #expect(try outcome.object()["outcome"] as? String == "open", "\(url)")
        }
    }

    @Test("diff: association files and asset links files")
    func diff() throws {
        let changed = Self.file.replacingOccurrences(of: "/buy/*", with: "/shop/*").replacingOccurrences(
            of: #"["x"]"#, with: #"["y"]"#)
        let other = Self.links.replacingOccurrences(of: "/buy/*", with: "/shop/*").replacingOccurrences(
            of: "14:6D", with: "15:6D")
        for (name, old, new) in [
            (Self.name, Self.file, changed), ("assetlinks.json", Self.links, other), (Self.name, Self.file, Self.file),
        ] {
            try tool.write(old, to: "old/\(name)")
            try tool.write(new, to: "new/\(name)")
            for domain in [nil, "*.shop.app"] {
                let printed = try tool.run(
                    ["diff", "--format", "json", "old/\(name)", "new/\(name)"]
                        + (domain.map { ["--domain", $0] } ?? []))
                var request: [String: Any] = ["old": ["text": old, "name": name], "new": ["text": new, "name": name]]
                request["domain"] = domain
                #expect(try console.post("diff", request).text == printed.text, "\(name)")
            }
        }
        let mixed = try console.post(
            "diff", ["old": ["text": Self.file], "new": ["text": Self.links, "name": "assetlinks.json"]])
        #expect(mixed.status == 400 && mixed.text.contains("files for different platforms"))
    }

    @Test("fix: what --fix writes and reports for the examples of all rules")
    func fix() throws {
        var compared = 0
        // Some of those that have no fix, too.
        let rules = Self.rules.enumerated().filter { $0 % 10 == 0 || $1.fix == .automatic || $1.fix == .suggested }
        for rule in rules.map(\.element) {
            guard let text = String(validating: rule.badBytes, as: UTF8.self) else { continue }
            let name = rule.subject == .assetLinks ? "assetlinks.json" : Self.name
            for suggested in rule.fix == .suggested ? [false, true] : [false] {
                let answer = try console.post("fix", ["text": text, "name": name, "suggested": suggested])
                // Signed files are never fixed.
                if answer.status == 422 { continue }
                compared += 1
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
                try tool.write(rule.badBytes, to: name)
                let outcome = try tool.run(
                    ["validate", "--fix", "--format", "json"] + (suggested ? ["--suggested"] : []) + [name])
                #expect(object["text"] as? String == (try tool.text(name)), "\(rule.code)")
                let printed = try outcome.object()
                for key in ["fixed", "diagnostics", "summary", "notes"] {
                    #expect((object[key] as? NSObject)?.isEqual(printed[key]) == true, "\(rule.code) \(key)")
                }
            }
        }
        #expect(compared > rules.count / 2)
    }
}
