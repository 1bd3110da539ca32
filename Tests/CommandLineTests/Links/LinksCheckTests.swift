import Foundation
import TestSupport
import Testing

/// `aasa links check`, and `aasa validate` about the same files (cli.md, 1.14).
@Suite("aasa links check", .waiting)
struct LinksCheckTests {
    @Test("a good file has no finding, by itself, in its folder, and among all files")
    func good() throws {
        let site = try LinksSite()
        let outcome = try site.links("check", LinksSite.file, "--strict")
        #expect(outcome.status == 0 && outcome.findings.isEmpty, "\(outcome.text)")
        let one = try site.tool.run("validate", LinksSite.file, "--strict")
        #expect(one.status == 0 && one.findings.isEmpty)
        let all = try site.tool.run("validate", "sites", "--strict")
        #expect(all.status == 0 && all.text.contains("sites/go.example.com/links.json"))
    }

    @Test("what the files beside it do not open is a warning with a URL; --strict fails")
    func notOpened() throws {
        let site = try LinksSite()
        let folder = "sites/go.example.com"
        try site.tool.write(LinksSite.association("/summer"), to: "\(folder)/apple-app-site-association")
        let outcome = try site.links("check", LinksSite.file)
        #expect(outcome.status == 0)
        #expect(
            outcome.findings == [
                "\(LinksSite.file):5:5: warning [link-not-opened]",
                "\(LinksSite.file):8:16: warning [page-not-opened]",
            ])
        #expect(outcome.text.contains("https://go.example.com/buy/"))
        #expect(try site.links("check", LinksSite.file, "--strict").status == 1)
        try site.tool.write(
            LinksSite.association("/summer", "/old"), to: "sites/open.example.com/apple-app-site-association")
        try site.tool.write(LinksSite.association("*"), to: "\(folder)/apple-app-site-association")
        #expect(
            try site.links("check", LinksSite.file).findings == [
                "\(LinksSite.file):8:16: warning [open-host-not-opened]"
            ])
    }

    @Test("a file of --association and the domain of --domain stand in for those of the folder")
    func options() throws {
        let site = try LinksSite()
        try site.tool.write(LinksSite.links, to: "links.json")
        let alone = try site.links("check", "links.json")
        #expect(alone.status == 0 && alone.findings.isEmpty)
        #expect(alone.text.contains("not compared with an association file"))
        try site.tool.write(LinksSite.association("/summer", "/buy/*"), to: "file.json")
        let outcome = try site.links("check", "links.json", "--association", "file.json", "--domain", "x.example.com")
        #expect(outcome.findings == ["links.json:5:5: warning [link-not-opened]"])
        let target = try site.links("check", "links.json", "--domain", "www.example.com")
        #expect(target.status == 1 && target.findings.contains { $0.hasSuffix("error [redirect-loop]") })
        #expect(target.findings.contains { $0.hasSuffix("warning [target-on-this-host]") })
        let asset =
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","package_name":"com.shop.app","sha256_cert_fingerprints":["\#([String](repeating: "5A", count: 32).joined(separator: ":"))"]},"relation_extensions":{"delegate_permission/common.handle_all_urls":{"dynamic_app_link_components":[{"/":"/buy/*"},{"/":"/old"}]}}}]"#
        try site.tool.write(asset, to: "android.json")
        #expect(
            try site.links("check", "links.json", "--assetlinks", "android.json").findings == [
                "links.json:4:5: warning [link-not-opened-android]"
            ])
    }

    @Test("'aasa serve --check' says the same about the sites of a server, and a warning is no reason not to serve")
    func server() throws {
        let folder = try SiteFolders.layOut(
            [("go.example.com", 60), ("open.example.com", 60)], document: LinksSite.association("/summer", "/buy/*"))
        try folder.write(LinksSite.links, to: LinksSite.file)
        let outcome = try Shell.run(
            [RunningServer.executable, "serve", "--sites", "sites", "--certs", "certs", "--check"], in: folder.url)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("\(LinksSite.file):5:5: warning: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("[link-not-opened]") && outcome.errors.contains("[open-host-not-opened]"))
    }

    @Test("standard input is a file without a folder")
    func input() throws {
        let site = try LinksSite()
        let outcome = try site.links("check", "-", input: #"{"links": {"/a": {"to": "http://x"}}}"#)
        #expect(outcome.status == 1)
        #expect(outcome.findings.contains("<standard input>:1:25: error [invalid-link-target]"))
    }

    @Test("formats are those of validate")
    func formats() throws {
        let site = try LinksSite(links: #"{"link": {}}"#)
        let json = try site.links("check", LinksSite.file, "--format", "json")
        let object = try json.object()
        let findings = try #require(object["diagnostics"] as? [[String: Any]])
        #expect(json.status == 1 && findings.map { $0["code"] as? String } == ["unknown-links-key"])
        #expect(try site.links("check", LinksSite.file, "--format", "github").text.hasPrefix("::error file="))
        let sarif = try site.links("check", LinksSite.file, "--format", "sarif").object()
        #expect(sarif["version"] as? String == "2.1.0")
    }

    @Test("warnings can be suppressed with .aasa.json, and errors cannot")
    func suppression() throws {
        let site = try LinksSite()
        try site.tool.write(
            LinksSite.association("/summer", "/buy/*"), to: "sites/go.example.com/apple-app-site-association")
        try site.tool.write(#"{"severity": {"link-not-opened": "off"}}"#, to: "sites/.aasa.json")
        #expect(try site.links("check", LinksSite.file, "--strict").status == 0)
    }

    @Test(
        "what cannot be read or is no association file has its exit code",
        arguments: [
            (["check", "none.json"], 66), (["check", LinksSite.file, "--association", "none.json"], 66),
            (["check", LinksSite.file, "--association", LinksSite.file], 0), (["check"], 64),
            (["check", "-", "--association", "-"], 64), (["check", LinksSite.file, "--domain", "a b"], 64),
            (["check", LinksSite.file, "--association", "broken.json"], 65),
        ] as [([String], Int32)])
    func failures(arguments: [String], status: Int32) throws {
        let site = try LinksSite()
        try site.tool.write("{", to: "broken.json")
        let outcome = try site.tool.run(["links"] + arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(status == 0 || !outcome.errors.isEmpty)
    }
}
