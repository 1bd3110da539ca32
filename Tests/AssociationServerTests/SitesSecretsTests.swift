import AssociationServer
import PushSamples
import TestSupport
import Testing

/// Whoever may write files of a site is not necessarily one who may read keys.
@Suite("Keys in the folders of sites")
struct SitesSecretsTests {
    @Test("a link to a private key, or a key by mistake, is not served, and no log quotes it")
    func keys() throws {
        let sites = try SitesFolder()
        try sites.write(SitesFolder.document, "a.example")
        try sites.folder.write(SampleKey.p256().pem(), to: "certs/secret.pem")
        try sites.link("a.example/assetlinks.json", to: "../../certs/secret.pem")
        try sites.write("x", "b.example", "other")
        try sites.link("b.example/apple-app-site-association", to: "../../certs/secret.pem")
        try sites.write("{\"a\": \"\(SampleKey.p256().traditionalPEM())\"}", "c.example")
        try sites.load()
        #expect(sites.site("a.example")?.state == .published)
        #expect(sites.site("a.example")?.otherFiles.first?.isRefused == true)
        #expect(sites.site("b.example")?.state == .refused)
        #expect(sites.site("c.example")?.state == .refused)
        let findings = sites.sites.flatMap { $0.findings }
        #expect(findings.filter { $0.description.contains("holds a private key") }.count == 3)
        let lines = findings.flatMap { $0.block + $0.lines }
        #expect(!lines.contains { $0.contains("PRIVATE KEY") })
    }
}
