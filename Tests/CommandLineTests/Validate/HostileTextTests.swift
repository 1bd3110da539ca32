import Foundation
import FuzzingSupport
import PushSamples
import TestSupport
import Testing

/// Text with endless runs of combining marks and the like in each place where text can be, seen from outside.
///
/// Compared as Swift does by itself, 128 KiB of it take minutes. The programs of these tests are not optimized, so that they
/// get many times what is promised.
@Suite("Text made to take long", .waiting)
struct HostileTextTests {
    private static let limit = "ulimit -t \(20 * Patience.slowness);"
    private static let size = 120_000

    /// A place for text: a file whose `⟦⟧` it is, and the commands that read it.
    struct Place: Sendable, CustomTestStringConvertible {
        let file: String
        let content: String
        let commands: [String]

        var testDescription: String { "\(file): \(content)" }
    }

    private static let app = "7K3QWZ9PLM.com.shop.app"

    private static func association(_ rest: String) -> Place {
        Place(
            file: "apple-app-site-association", content: rest,
            commands: [
                "validate $file", "validate --fix --suggested $file", "diff $file other", "diff other $file",
                "route $file https://example.com/buy", "test $file --routes routes", "test $file cases",
            ])
    }

    private static func detail(_ component: String, _ rest: String = "") -> Place {
        association(
            #"{"applinks":{\#(rest)"details":[{"appIDs":["\#(app)"],"components":[\#(component)]}]}}"#)
    }

    private static func statement(_ relation: String, _ target: String, _ rest: String = "") -> Place {
        Place(
            file: "assetlinks.json",
            content: #"[{"relation":["\#(relation)"],"target":{\#(target)}\#(rest)}]"#,
            commands: ["validate $file", "validate --fix $file", "route $file https://example.com/buy"])
    }

    private static func manifest(_ data: String) -> Place {
        Place(
            file: "AndroidManifest.xml",
            content: """
                <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.shop">
                <application><activity android:name=".Main"><intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW" />
                <category android:name="android.intent.category.DEFAULT" />
                <category android:name="android.intent.category.BROWSABLE" />
                \(data)</intent-filter></activity></application></manifest>
                """, commands: ["validate $file", "doctor --no-cdn --no-google --app $file localhost"])
    }

    private static let links = "delegate_permission/common.handle_all_urls"
    private static let places: [Place] = [
        detail(#"{"/":"/buy","⟦⟧":"x"}"#), detail(#"{"/":"/⟦⟧*"}"#), detail(#"{"/":"/buy","comment":"⟦⟧"}"#),
        detail(##"{"#":"⟦⟧"}"##), detail(#"{"?":"⟦⟧"}"#), detail(#"{"?":{"⟦⟧":"v"}}"#), detail(#"{"?":{"n":"⟦⟧"}}"#),
        detail(#"{"/":"/$(⟦⟧)"}"#), detail(#"{"/":"/$(v)"}"#, #""substitutionVariables":{"v":["⟦⟧"]},"#),
        detail(#"{"/":"/$(v)"}"#, #""substitutionVariables":{"⟦⟧":["v"]},"#),
        detail(#"{"/":"/⟦⟧","percentEncoded":false,"caseSensitive":false}"#),
        detail(#"{"/":"/buy"}"#, #""⟦⟧":1,"#),
        association(#"{"applinks":{"details":[{"appID":"⟦⟧","paths":["/buy"]}]}}"#),
        association(#"{"applinks":{"details":[{"appID":"\#(app)","paths":["⟦⟧"]}]}}"#),
        association(#"{"⟦⟧":{"apps":["\#(app)"]}}"#), association(#"{"webcredentials":{"apps":["⟦⟧"]}}"#),
        association(#"{"webcredentials":{"apps":["\#(app)"]}, ⟦⟧: 1}"#), association("⟦⟧"),
        statement("⟦⟧", #""namespace":"web","site":"https://example.com""#),
        statement(links, #""namespace":"web","site":"https://⟦⟧""#),
        statement(links, #""namespace":"⟦⟧","site":"https://example.com""#),
        statement(links, #""namespace":"android_app","package_name":"⟦⟧","sha256_cert_fingerprints":["⟦⟧"]"#),
        statement(
            links, #""namespace":"android_app","package_name":"com.shop","sha256_cert_fingerprints":["AB"]"#,
            #","relation_extensions":{"\#(links)":{"dynamic_app_link_components":[{"/":"/⟦⟧","?":{"⟦⟧":"v"}}]}}"#),
        statement(links, #""namespace":"web","site":"https://example.com""#, #","⟦⟧":1"#),
        manifest(#"<data android:scheme="https" android:host="⟦⟧" />"#),
        manifest(#"<data android:scheme="⟦⟧" android:host="a.example" />"#),
        manifest(#"<data android:scheme="https" android:host="a.example" android:pathPrefix="⟦⟧" />"#),
        manifest(#"<data android:scheme="https" android:host="a.example" android:pathPattern="@string/⟦⟧" />"#),
        manifest(#"<data android:scheme="https" android:host="a.example">⟦⟧</data>"#),
        Place(
            file: "cases", content: #"[{"url":"https://example.com/⟦⟧","app":"\#(app)"}]"#,
            commands: ["test sound $file", "test sound $file --format json"]),
        Place(
            file: "cases", content: #"[{"url":"https://example.com/buy","app":"⟦⟧","⟦⟧":1}]"#,
            commands: ["test sound $file"]),
        Place(
            file: ".aasa.json", content: #"{"severity":{"⟦⟧":"error"},"disable":["⟦⟧"],"⟦⟧":1}"#,
            commands: ["validate sound"]),
        Place(
            file: "App.entitlements",
            content: """
                <plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>
                <array><string>applinks:⟦⟧</string></array><key>⟦⟧</key><string>⟦⟧</string></dict></plist>
                """, commands: ["doctor --no-cdn --no-google --app $file localhost"]),
        Place(
            file: "app.json",
            content: """
                {"expo":{"⟦⟧":1,"ios":{"bundleIdentifier":"⟦⟧","associatedDomains":["applinks:⟦⟧"]},
                "android":{"package":"⟦⟧","intentFilters":[{"action":"VIEW","data":[{"scheme":"https","host":"⟦⟧"}]}]}}}
                """, commands: ["doctor --no-cdn --no-google --app $file localhost"]),
    ]

    /// Each place with each kind of text, each of the commands of a place with some of them.
    private static let pairs = places.enumerated().flatMap { number, place in
        HostileText.kinds.enumerated().map { kind, text in
            (place, text, (number + kind) % 2 == 0, place.commands[(number + kind / 2) % place.commands.count])
        }
    }

    @Test("in a file takes no program long", arguments: pairs)
    func files(place: Place, text: HostileText, isEscaped: Bool, command: String) throws {
        let tool = try BuiltTool()
        let parts = place.content.components(separatedBy: "⟦⟧")
        let size = Self.size / max(parts.count - 1, 1)
        let isXML = place.content.hasPrefix("<")
        let written =
            !isEscaped ? text.text(size) : isXML ? text.escapedForXML(size) : text.escapedForJSON(size)
        try tool.write(parts.joined(separator: written), to: place.file)
        try tool.write(BuiltTool.sound, to: "sound")
        try tool.write(
            #"{"applinks":{"details":[{"appIDs":["\#(Self.app)"],"components":[{"/":"/buy/*"}]}]}}"#, to: "other")
        try tool.write("/buy/{product}\n/a/{rest:*}\n", to: "routes")
        if place.file != "cases" { try tool.write("[{\"url\":\"https://example.com/buy\",\"app\":null}]", to: "cases") }
        let outcome = try tool.shell("\(Self.limit) file=\(place.file); exec $tool \(command)")
        #expect(outcome.status < 128, "\(outcome.status): \(outcome.errors.prefix(400))")
    }

    @Test("is an error of the file that has it, so that it is not published", arguments: HostileText.kinds)
    func finding(text: HostileText) throws {
        let tool = try BuiltTool()
        for written in [text.text(9_000), text.escapedForJSON(9_000)] {
            try tool.write(#"{"webcredentials":{"apps":["\#(Self.app)"]},"_note":"\#(written)"}"#, to: "file")
            let outcome = try tool.run("validate", "file")
            let isReported = outcome.findings.contains { $0.hasSuffix("error [combining-marks]") }
            #expect(isReported == text.isExcessive, "\(outcome.text.prefix(400))")
            #expect(outcome.status == (text.isExcessive ? 1 : 0))
        }
    }

    @Test("in a URL is decided by its bytes, and refused as an argument", arguments: HostileText.kinds)
    func urls(text: HostileText) throws {
        let tool = try BuiltTool()
        let file = #"{"applinks":{"details":[{"appIDs":["\#(Self.app)"],"components":[{"/":"/a/*/b"}]}]}}"#
        try tool.write(file, to: "file")
        for part in ["/a/⟦⟧/b", "/a/x/b?⟦⟧=1", "/a/x/b#⟦⟧"] {
            let url = "https://example.com" + part.replacing("⟦⟧", with: text.percentEncoded(8_000))
            let outcome = try tool.shell("\(Self.limit) exec $tool route file \"$(cat)\"", input: Array(url.utf8))
            #expect(outcome.status == 0 && outcome.text.contains(Self.app), "\(outcome.errors.prefix(300))")
            let raw = "https://example.com" + part.replacing("⟦⟧", with: text.text(8_000))
            let line = try tool.shell("\(Self.limit) exec $tool route file -", input: Array(raw.utf8))
            #expect(line.status == 0 && line.text.contains(Self.app), "\(line.errors.prefix(300))")
            let argument = try tool.shell("\(Self.limit) exec $tool route file \"$(cat)\"", input: Array(raw.utf8))
            #expect(argument.status == (text.isExcessive ? 64 : 0), "\(argument.errors.prefix(300))")
            #expect(argument.errors.contains("argument 3 has more than 30 combining marks") == text.isExcessive)
        }
    }

    @Test("in the name of an issuer does not keep 'certcheck' from its other files", arguments: HostileText.kinds)
    func certificates(text: HostileText) throws {
        let tool = try BuiltTool.certcheck()
        for (number, type) in [SampleName.StringType.utf8, .bmp, .universal].enumerated() {
            let name: SampleName = [.commonName(text.text(Self.size), as: type), .organization("x")]
            let sample = SampleProfile.universal.certificate().with { $0.issuerName = name }
            try tool.write(try sample.der(), to: "\(number).cer")
        }
        try tool.write(try CertcheckSamples.certificate(), to: "good.cer")
        for format in ["text", "json"] {
            let outcome = try tool.shell(
                "\(Self.limit) exec $tool --now \(SampleTime.nowText) --format \(format) 0.cer 1.cer 2.cer good.cer")
            #expect(outcome.status < 128 && outcome.text.utf8.count > 1_000, "\(outcome.errors.prefix(400))")
        }
    }

    @Test("from a host does not keep 'aasa doctor' from its report", arguments: HostileText.kinds)
    func hosts(text: HostileText) throws {
        let tool = try BuiltTool()
        let network = try StubNetwork()
        let site = try network.site("hostile.example", .good)
        let written = text.text(12_000)
        site.answer(
            StubNetwork.wellKnown,
            with: .json(
                #"{"applinks":{"details":[{"appIDs":["\#(text.text(50_000))"],"components":[{"/":"/*"}]}]}}"#,
                type: written, ["Cache-Control: \(written)", "Server: \(written)"]))
        network.appleAnswers(
            site.authority, with: .status(404, ["Apple-Failure-Reason: \(written)", "Apple-From: \(written)"]))
        let outcome = try tool.shell(
            "\(Self.limit) exec $tool doctor \(network.options.joined(separator: " ")) \(site.authority)")
        #expect([0, 1].contains(outcome.status), "\(outcome.status): \(outcome.errors.prefix(400))")
    }

    @Test("in one site's folder delays neither the start, nor another site's change, nor the admin listener")
    func server() throws {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:a.example"])
        let file = "sites/a.example/apple-app-site-association"
        func hostile(_ text: HostileText) -> String {
            #"{"applinks":{"details":[{"appIDs":["\#(Self.app)"],"components":[{"/":"/a","\#(text.text(Self.size))":1}]}]}}"#
        }
        try folder.write(hostile(HostileText.kinds[0]), to: file)
        let server = try RunningServer(folder, arguments: ["--admin", "127.0.0.1:0"])
        for (number, text) in HostileText.kinds.enumerated() {
            let other = RunningServer.document + String(repeating: " ", count: number + 1)
            try folder.write(hostile(text), to: file)
            try folder.write(other, to: "sites/localhost/apple-app-site-association")
            #expect(try Waiting.until { try server.curl("/apple-app-site-association").text == other }, "\(text)")
            for endpoint in ["validate", "fix"] {
                let body = try JSONSerialization.data(withJSONObject: [
                    "name": "apple-app-site-association", "text": hostile(text),
                ])
                let answer = try Shell.run(
                    [
                        "curl", "-sS", "--max-time", "60", "-w", "\n%{http_code}", "-H",
                        "Content-Type: application/json", "--data-binary", "@-",
                        "\(try server.adminURL)/api/v1/\(endpoint)",
                    ], input: body)
                // The body is JSON itself.
                let statuses = text.isExcessive ? ["400"] : ["200", "422"]
                #expect(statuses.contains(answer.lastLine), "\(answer.text.prefix(300))")
            }
        }
        #expect(server.isRunning)
        // One second of CPU time is a hundred ticks. Each round checks the file three times.
        let words = try String(contentsOfFile: "/proc/\(server.processIdentifier)/stat", encoding: .utf8)
            .split(separator: " ")
        let ticks = try #require(Int(words[13])) + #require(Int(words[14]))
        #expect(ticks < 6_000 * Patience.slowness, "\(ticks)")
    }
}
