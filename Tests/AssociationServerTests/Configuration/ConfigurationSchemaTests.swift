import AssociationServer
import Diagnostics
import TestSupport
import Testing

struct ConfigurationSchemaTests {
    private let validator = SchemaValidator(ServerConfiguration.schema)

    @Test("Each key takes its example, and no value of another type")
    func keys() {
        for key in ServerConfiguration.keys where !key.path.hasPrefix("acme.") {
            #expect(validator.accepts(key.document()), "\(key.path)")
            #expect(!validator.accepts(key.document("[[]]")), "\(key.path)")
        }
    }

    @Test(
        "What the server refuses for its shape the schema rejects",
        arguments: [
            (#"{}"#, true), (#"{ "$schema": "x", "http2": false }"#, true),
            (#"{ "limits": { "$schema": "x" } }"#, false),
            (#"{ "threads": 3.0 }"#, true), (#"{ "threads": 3.5 }"#, false), (#"{ "threads": 0 }"#, false),
            (#"{ "listen": "443" }"#, false), (#"{ "listen": [{ "address": "443" }] }"#, true),
            (#"{ "listen": [{ "adress": "443" }] }"#, false), (#"{ "listen": [{ "mode": "0600" }] }"#, false),
            (#"{ "log": { "format": "xml" } }"#, false), (#"{ "gzip": true }"#, false), (#"{ "sites": null }"#, false),
            (#"{ "acme": null }"#, true), (#"{ "acme": {} }"#, false), (#"{ "acme": { "agreeToTerms": true } }"#, true),
            (#"{ "acme": { "agreeToTerms": true, "challenges": ["dns-02"] } }"#, false), (#"[]"#, false),
        ])
    func documents(text: String, isTaken: Bool) {
        #expect(validator.accepts(text) == isTaken)
        let configuration = try? ConfigurationReader.read(Array(text.utf8), path: "server.json")
        #expect((configuration != nil) == isTaken)
    }
}
