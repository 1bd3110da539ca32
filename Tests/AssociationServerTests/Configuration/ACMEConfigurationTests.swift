import ACME
import AssociationServer
import Diagnostics
import Foundation
import OpenSSL
import PushSamples
import TLSSamples
import TestSupport
import Testing

/// `acme` in server.json (acme.md, section 1).
@Suite("server.json: acme", .waiting)
struct ACMEConfigurationTests {
    private func read(_ text: String) throws(ServerError) -> ServerConfiguration {
        try ConfigurationReader.read(Array(text.utf8), path: "Config/server.json")
    }

    private func findings(_ text: String) -> [LocatedDiagnostic] {
        do throws(ServerError) {
            _ = try read(text)
            return []
        } catch {
            #expect(error.code == .configuration)
            return error.findings
        }
    }

    @Test("it is off without the key and with null", arguments: ["{}", #"{"acme": null}"#])
    func off(text: String) throws {
        let configuration = try read(text)
        #expect(configuration == ServerConfiguration() && !configuration.acme.isOn)
    }

    @Test("with the consent alone everything has its default")
    func defaults() throws {
        let configuration = try read(#"{"acme": {"agreeToTerms": true}}"#)
        let acme = configuration.acme
        #expect(acme.isOn && acme.directory == .letsEncrypt && acme.contact.isEmpty && acme.profile == nil)
        #expect(acme.directory.url == "https://acme-v02.api.letsencrypt.org/directory")
        #expect(acme.keyType == .p256 && acme.folder == nil && configuration.acmeFolder == "certs")
        #expect(acme.rootsFile == nil && acme.exclude.isEmpty && acme.challenges == [.tlsALPN01, .http01])
        #expect(acme.externalAccount == nil && acme.preferredChain == nil && acme.preflight)
        #expect(acme.challengePorts.tlsALPN01 == 443 && acme.challengePorts.http01 == 80)
        #expect(acme.limits.parallelOrders == 4 && acme.limits.ordersPer3Hours == 250)
    }

    @Test("all keys are read together")
    func everyKey() throws {
        let configuration = try read(
            """
            {"acme": {"agreeToTerms": true, "directory": "HTTPS://[::1]:14000/dir", "contact": ["mailto:a@b.example", "c@d"],
             "profile": "shortlived", "keyType": "rsa2048", "folder": "state", "caFile": "../ca.pem",
             "exclude": ["a.example", "_wildcard.b.example"], "challenges": ["dns-persist-01", "http-01"],
             "eab": {"kid": "k 1", "hmacKeyFile": "/etc/eab"}, "preferredChain": "Root X1", "preflight": false,
             "challengePorts": {"tls-alpn-01": 1, "http-01": 65535},
             "limits": {"parallelOrders": 64, "ordersPer3Hours": 1}}}
            """)
        var expected = ACMEConfiguration()
        expected.agreesToTerms = true
        expected.directory = .other("https://[::1]:14000/dir")
        expected.contact = ["a@b.example", "c@d"]
        expected.profile = "shortlived"
        expected.keyType = .rsa2048
        expected.folder = "Config/state"
        expected.rootsFile = "ca.pem"
        expected.exclude = ["a.example", "_wildcard.b.example"]
        expected.challenges = [.dnsPersist01, .http01]
        expected.externalAccount = .init(keyIdentifier: "k 1", hmacKeyFile: "/etc/eab")
        expected.preferredChain = "Root X1"
        expected.preflight = false
        expected.challengePorts.tlsALPN01 = 1
        expected.challengePorts.http01 = 65_535
        expected.limits.parallelOrders = 64
        expected.limits.ordersPer3Hours = 1
        #expect(configuration.acme == expected)
        #expect(configuration.acmeFolder == "Config/state")
        for key in ["profile", "folder", "caFile", "eab", "preferredChain"] {
            #expect(try read(#"{"acme": {"agreeToTerms": true, "\#(key)": null}}"#).acme.isOn)
        }
    }

    @Test(
        "the directory is one of two names or a URL",
        arguments: [
            ("letsencrypt", "https://acme-v02.api.letsencrypt.org/directory"),
            ("letsencrypt-staging", "https://acme-staging-v02.api.letsencrypt.org/directory"),
            ("https://ca.example", "https://ca.example"),
            ("https://127.0.0.1:14000/dir?x=1", "https://127.0.0.1:14000/dir?x=1"),
            ("https://ca.example:65535/a/b", "https://ca.example:65535/a/b"),
        ])
    func directories(text: String, url: String) throws {
        let directory = try read(#"{"acme": {"agreeToTerms": true, "directory": "\#(text)"}}"#).acme.directory
        #expect(directory.url == url)
        #expect(directory.isPublic == text.hasPrefix("letsencrypt"))
    }

    @Test(
        "without the consent it is an error with the place where it belongs",
        arguments: [
            (#"{"acme": {}}"#, "1:10"), (#"{"acme": {"agreeToTerms": false}}"#, "1:27"),
            (#"{"acme": {"contact": ["a@b.example"]}}"#, "1:10"),
        ])
    func terms(text: String, place: String) {
        #expect(
            findings(text).map(\.description) == [
                "Config/server.json:\(place): error: 'acme.agreeToTerms' is not true; read the CA's terms of service, "
                    + "then write \"agreeToTerms\": true [acme-terms]"
            ])
    }

    @Test(
        "what is wrong is reported in one line, with its place and what was expected",
        arguments: [
            (#""agreeToTerms": 1"#, "'acme.agreeToTerms' is a number; expected true or false [invalid-config-value]"),
            (
                #""agreeToTerms": true, "contacts": []"#,
                "unknown key 'contacts' in 'acme'; did you mean 'contact'? [unknown"
            ),
            (
                #""directory": "http://ca.example/dir""#,
                "is 'http://ca.example/dir'; expected an 'https://' URL: ACME needs"
            ),
            (#""directory": "letsencript""#, "expected \"letsencrypt\", \"letsencrypt-staging\" or an 'https://' URL"),
            (#""directory": """#, "'acme.directory' is ''; expected"),
            (#""directory": null"#, "'acme.directory' is null"),
            (#""directory": "https://""#, "expected a host name after 'https://'"),
            (#""directory": "https://a b/""#, "without white space"),
            (#""directory": "https://ä.example/""#, "in ASCII"),
            (#""directory": "https://u@ca.example/""#, "without a user"),
            (#""directory": "https://ca.example/#a""#, "without a fragment"),
            (#""directory": "https://ca.example:0/""#, "expected a port from 1 to 65535"),
            (#""directory": "https://ca.example:65536/""#, "expected a port"),
            (#""directory": "https://ca.example:/""#, "a port"),
            (#""directory": "https://[::1/""#, "expected a host name"),
            (#""directory": "https://[x]/""#, "IPv6 address"),
            (#""contact": "a@b.example""#, "'acme.contact' is a string; expected an array like [\"ops@example.com\"]"),
            (#""contact": [1]"#, "'acme.contact' has a number; expected a string like \"ops@example.com\""),
            (#""contact": ["ops"]"#, "'acme.contact' has 'ops'; expected one e-mail address"),
            (#""contact": ["a@b@c"]"#, "one e-mail address"), (#""contact": ["a@b,c@d"]"#, "one e-mail address"),
            (#""contact": ["a@b?subject=x"]"#, "one e-mail address"), (#""contact": ["a b@c"]"#, "one e-mail address"),
            (#""contact": ["@c"]"#, "one e-mail address"), (#""contact": ["mailto:"]"#, "one e-mail address"),
            (#""contact": ["tel:+12025551212"]"#, "one e-mail address"),
            (#""contact": ["a@b\tc"]"#, "one e-mail address"),
            (#""profile": """#, "'acme.profile' is ''; expected the name of a profile"),
            (#""profile": 1"#, "expected a string"),
            (#""keyType": "p521""#, "'acme.keyType' is 'p521'; expected \"p256\", \"p384\" or \"rsa2048\""),
            (#""folder": """#, "'acme.folder' is ''; expected the path of a folder"), (#""folder": 1"#, "is a number"),
            (#""caFile": "certs/""#, "'acme.caFile' is 'certs/'; expected the path of a file"),
            (#""caFile": []"#, "an array"),
            (#""exclude": "a.example""#, "'acme.exclude' is a string; expected an array like"),
            (#""exclude": [null]"#, "'acme.exclude' has null; expected a string"),
            (
                #""challenges": []"#,
                "'acme.challenges' is empty; expected at least one of \"tls-alpn-01\", \"http-01\" or"
            ),
            (#""challenges": ["dns-01"]"#, "has 'dns-01'; the server cannot write DNS records; expected"),
            (#""challenges": ["http-1"]"#, "has 'http-1'; expected \"tls-alpn-01\", \"http-01\" or \"dns-persist-01\""),
            (#""challenges": ["http-01", "http-01"]"#, "has 'http-01' twice; expected each challenge once"),
            (#""challenges": "http-01""#, "'acme.challenges' is a string; expected an array like [\"tls-alpn-01\"]"),
            (#""challenges": [7]"#, "'acme.challenges' has a number"),
            (#""eab": "x""#, "'acme.eab' is a string; expected an object like"),
            (#""eab": {}"#, "'acme.eab' is an object without \"kid\" and \"hmacKeyFile\"; expected one like"),
            (#""eab": {"kid": "a"}"#, "without \"hmacKeyFile\""),
            (#""eab": {"kid": "", "hmacKeyFile": "b"}"#, "'acme.eab.kid' is ''; expected the identifier of the key"),
            (#""eab": {"kid": "a", "hmacKeyFile": 1}"#, "'acme.eab.hmacKeyFile' is a number; expected a string"),
            (#""eab": {"kid": "a", "hmacKeyFile": "b", "hmac": "c"}"#, "unknown key 'hmac' in 'acme.eab'"),
            (#""preferredChain": """#, "'acme.preferredChain' is ''; expected the common name of an issuer"),
            (#""preflight": 0"#, "'acme.preflight' is a number; expected true or false"),
            (#""challengePorts": 1"#, "'acme.challengePorts' is a number; expected an object"),
            (#""challengePorts": {"tls-alpn-01": 0}"#, "expected a whole number from 1 to 65535"),
            (#""challengePorts": {"http": 80}"#, "unknown key 'http' in 'acme.challengePorts'"),
            (
                #""limits": {"parallelOrders": 65}"#,
                "'acme.limits.parallelOrders' is 65; expected a whole number from 1 to 64"
            ),
            (#""limits": {"ordersPer3Hours": 100001}"#, "expected a whole number from 1 to 100000"),
            (#""limits": {"parallelOrders": 0}"#, "'acme.limits.parallelOrders' is 0"),
        ])
    func wrong(members: String, expected: String) {
        let consent = members.contains("agreeToTerms") ? "" : #""agreeToTerms": true, "#
        let found = findings("{\"acme\": {\(consent)\(members)}}").map(\.description)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("Config/server.json:1:") == true)
        #expect(found.first?.contains(expected) == true, "\(found)")
    }

    @Test("another value than an object is an error", arguments: ["true", "[]", "\"letsencrypt\""])
    func types(value: String) {
        let found = findings("{\"acme\": \(value)}").map(\.message)
        #expect(found.count == 1 && found[0].hasPrefix("'acme' is a") && found[0].hasSuffix("; expected an object"))
    }

    // The files that it names.

    /// Reads a server.json in a new folder, in which these files are.
    private func load(_ members: String, _ files: [String: String]) throws -> Result<ServerConfiguration, ServerError> {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        let path = try folder.write(#"{"acme": {"agreeToTerms": true, \#(members)}}"#, to: "server.json")
        return Result { () throws(ServerError) in try ServerConfiguration.load(path: path) }
    }

    @Test("roots and the key of an external account are read with the configuration")
    func files() throws {
        let pem = try SampleSite.root.certificate.pem()
        let key = "  AQID-_8\n"
        let configuration = try load(
            #""caFile": "ca.pem", "eab": {"kid": "1", "hmacKeyFile": "eab.key"}"#, ["ca.pem": pem, "eab.key": key]
        ).get()
        #expect(configuration.acme.roots == Array(pem.utf8))
        let bytes = configuration.acme.externalAccount?.hmacKey?.withBytes { Array($0) }
        #expect(bytes == [1, 2, 3, 0xFB, 0xFF])
        // What is in them is a part of what a reload compares.
        let other = try load(
            #""caFile": "ca.pem", "eab": {"kid": "1", "hmacKeyFile": "eab.key"}"#,
            ["ca.pem": pem, "eab.key": "AQIE-_8="]
        ).get()
        #expect(other.acme.externalAccount?.hmacKey != configuration.acme.externalAccount?.hmacKey)
    }

    @Test(
        "a file that is missing, or holds something else, is named",
        arguments: [
            (
                #""caFile": "ca.pem""#, nil, ServerError.Code.unreadable,
                "/ca.pem: error: the file of 'acme.caFile' cannot be read"
            ),
            (#""caFile": "ca.pem""#, "no PEM", .configuration, "it contains no certificate in PEM form"),
            (#""caFile": "ca.pem""#, "", .configuration, "/ca.pem: error: the file of 'acme.caFile' cannot be used"),
            (
                #""eab": {"kid": "1", "hmacKeyFile": "ca.pem"}"#, nil, .unreadable,
                "the file of 'acme.eab.hmacKeyFile' cannot be read: no such file or directory"
            ),
            (
                #""eab": {"kid": "1", "hmacKeyFile": "ca.pem"}"#, "", .configuration,
                "does not contain a key in base64url"
            ),
            (
                #""eab": {"kid": "1", "hmacKeyFile": "ca.pem"}"#, "ab+/", .configuration,
                "does not contain a key in base64url"
            ),
            (
                #""eab": {"kid": "1", "hmacKeyFile": "ca.pem"}"#, "abcde", .configuration,
                "does not contain a key in base64url"
            ),
            (
                #""eab": {"kid": "1", "hmacKeyFile": "ca.pem"}"#, "ab cd", .configuration,
                "does not contain a key in base64url"
            ),
            (
                #""eab": {"kid": "1", "hmacKeyFile": "ca.pem"}"#, "ab===", .configuration,
                "does not contain a key in base64url"
            ),
            (
                #""eab": {"kid": "1", "hmacKeyFile": "ca.pem"}"#, "abd", .configuration,
                "does not contain a key in base64url"
            ),
        ] as [(String, String?, ServerError.Code, String)])
    func unusableFiles(members: String, text: String?, code: ServerError.Code, expected: String) throws {
        switch try load(members, text.map { ["ca.pem": $0] } ?? [:]) {
        case .success: Issue.record("it was read")
        case .failure(let error):
            #expect(error.code == code)
            #expect(error.findings.count == 1 && error.messages.joined(separator: "\n").contains(expected), "\(error)")
            #expect(error.usableConfiguration?.acme.isOn == true)
        }
    }

    @Test("a missing file is the graver error of two")
    func missingFile() throws {
        let members = #""caFile": "ca.pem", "eab": {"kid": "1", "hmacKeyFile": "none"}"#
        guard case .failure(let error) = try load(members, ["ca.pem": "x"]) else {
            Issue.record("it was read")
            return
        }
        #expect(error.code == .unreadable && error.findings.count == 2)
    }
}
