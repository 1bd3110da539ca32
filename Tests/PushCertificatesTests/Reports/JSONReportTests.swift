import Diagnostics
import PushCertificates
import Testing

@Suite("JSON of a check")
struct JSONReportTests {
    @Test("A report is one line with the keys of the contract, sorted, and null for what is absent")
    func report() {
        let finding = CheckSample.finding("key-mismatch", .warning, "the key is \"another\" one's")
        let report = CheckSample.report(
            CheckSample.file(
                "a/push.p12", CheckSample.certificate(left: 20 * CheckSample.day, key: .mismatched, chains: false),
                findings: [finding]),
            CheckSample.file("key.p8", CheckSample.tokenKey),
            CheckSample.failure("none.p12", .notFound, "there is no such file"))
        #expect(
            JSONReport().render(report) == """
                {"files":[\
                {"certificates":[{"counts":true,"daysLeft":20,"environments":["sandbox","production"],\
                "hasPrivateKey":true,\
                "index":0,"issuer":{"chainsToApple":false,"commonName":"Some Authority","generation":null},\
                "keyMatches":false,"keyPath":null,"kind":"apple-push-services","notAfter":"2026-12-08T11:06:40Z",\
                "notBefore":"2026-01-22T11:06:40Z","serial":"0A1B2C3D","sha256":"e3b0c442","status":"warning",\
                "subjectCommonName":"Apple Push Services: com.example.app","superseded":false,"supersededBy":null,\
                "team":"ABCDE12345","topics":[{"name":"com.example.app","purposes":["topic"]}],\
                "userID":"com.example.app"}],"error":null,"errorHelp":null,"errorMessage":null,"findings":[{"certificate":0,\
                "code":"expires-soon","help":"renew now: run 'certcheck csr', deploy the new certificate, then revoke the old \
                one (never before)","message":"com.example.app expires in 20 days (2026-12-08 11:06 UTC)",\
                "severity":"warning"},{"certificate":0,"code":"key-mismatch","help":null,\
                "message":"the key is \\"another\\" one's","severity":"warning"}],"path":"a/push.p12",\
                "status":"warning"},\
                {"certificates":[{"counts":false,"daysLeft":null,"environments":[],"hasPrivateKey":true,"index":0,\
                "issuer":null,"keyMatches":null,"keyPath":null,"kind":"token-key","notAfter":null,"notBefore":null,"serial":null,\
                "sha256":null,"status":"ok","subjectCommonName":null,"superseded":false,"supersededBy":null,\
                "team":null,\
                "topics":[],"userID":null}],"error":null,"errorHelp":null,"errorMessage":null,"findings":[],"path":"key.p8",\
                "status":"ok"},\
                {"certificates":[],"error":"not-found","errorHelp":null,"errorMessage":"there is no such file","findings":[],\
                "path":"none.p12","status":"unknown"}],\
                "now":"2026-11-18T11:06:40Z","status":"unknown","strict":false,"thresholds":{"critical":14,"warning":30},\
                "tool":"certcheck","topics":[{"daysLeft":20,"index":0,"name":"com.example.app",\
                "notAfter":"2026-12-08T11:06:40Z","path":"a/push.p12","status":"warning","team":"ABCDE12345"}],\
                "version":1}
                """)
    }

    @Test("A certificate that is replaced says by which, and is left out of the topics")
    func superseded() {
        let text = JSONReport().render(
            CheckSample.report(
                CheckSample.file("old", CheckSample.certificate(left: 0)),
                CheckSample.file("new", CheckSample.certificate(left: 300 * CheckSample.day))))
        #expect(text.contains(#""superseded":true,"supersededBy":{"index":0,"path":"new"}"#))
        #expect(text.contains(#""topics":[{"daysLeft":300,"index":0,"name":"com.example.app","notAfter":"2027-09-14T"#))
    }

    @Test("A topic of a team stands once, with its most urgent certificate")
    func topics() {
        let report = CheckSample.report(
            CheckSample.file("a", CheckSample.certificate(["x.z", "x.b"], left: 90 * CheckSample.day, key: .none)),
            CheckSample.file("b", CheckSample.certificate(["x.b"], left: 80 * CheckSample.day)),
            CheckSample.file("c", CheckSample.certificate(["x.b"], left: 99 * CheckSample.day, team: nil)))
        let text = JSONReport().render(report)
        let topics = text.firstRange(of: "\"topics\":[{\"daysLeft\"").map { text[$0.lowerBound...] } ?? ""
        #expect(
            topics == """
                "topics":[{"daysLeft":99,"index":0,"name":"x.b","notAfter":"2027-02-25T11:06:40Z","path":"c",\
                "status":"ok","team":null},{"daysLeft":80,"index":0,"name":"x.b","notAfter":"2027-02-06T11:06:40Z",\
                "path":"b","status":"ok","team":"ABCDE12345"},{"daysLeft":90,"index":0,"name":"x.z",\
                "notAfter":"2027-02-16T11:06:40Z","path":"a","status":"ok","team":"ABCDE12345"}],"version":1}
                """)
    }
}
