internal import ACME
import AssociationServer
import Diagnostics
import FuzzingSupport

/// Reads mutated server.json files.
struct ConfigurationFuzzer {
    private let mutator = JSONMutator(seeds: seeds, pieces: pieces)
    private(set) var outcomes: [String: Int] = [:]

    /// Checks one more file; returns what is wrong with the answer.
    mutating func check(_ random: inout SplitMix64) -> (input: [UInt8], violation: String?) {
        var text = random.pick(Self.seeds)
        for _ in 0..<random.number(0...4) { mutator.mutate(&text, &random) }
        var warnings: [LocatedDiagnostic] = []
        do throws(ServerError) {
            let configuration = try ConfigurationReader.read(text, path: "Config/server.json") { warnings.append($0) }
            outcomes["configuration", default: 0] += 1
            let violation = Self.violation(in: configuration) ?? Self.violation(in: warnings, in: text)
            return (text, warnings.contains(where: \.isError) ? "an error is reported as a warning" : violation)
        } catch {
            outcomes["findings", default: 0] += error.findings.count
            outcomes["refused", default: 0] += 1
            let isRefusal = error.code == .configuration && error.findings.contains(where: \.isError)
            return (text, isRefusal ? Self.violation(in: error.findings, in: text) : "refused without an error")
        }
    }

    /// The value that the table of server.md, section 1, does not allow.
    private static func violation(in configuration: ServerConfiguration) -> String? {
        let limits = configuration.limits
        let timeouts = configuration.timeouts
        let times = [
            timeouts.handshake, timeouts.header, timeouts.idle, timeouts.write, timeouts.drain, timeouts.proxyHeader,
        ]
        let isSound =
            limits.connections >= 0 && limits.perAddress >= 0 && limits.requestsPerConnection >= 0
            && limits.fileBytes > 0
            && configuration.cacheMaxAge >= 0 && (configuration.threads ?? 1) > 0
            && configuration.listen?.isEmpty != true && configuration.listeners.allSatisfy { $0.problem == nil }
            && configuration.unreachableListener == nil
            && isSound(configuration.acme)
            && times.allSatisfy { $0 > 0 && $0 <= 86_400 } && !configuration.sites.isEmpty
            && !configuration.certs.isEmpty
        return isSound ? nil : "accepted: \(configuration)"
    }

    private static func isSound(_ acme: ACMEConfiguration) -> Bool {
        let ports = [acme.challengePorts.tlsALPN01, acme.challengePorts.http01]
        return (acme == ACMEConfiguration() || acme.isOn) && acme.directory.url.hasPrefix("https://")
            && acme.contact.allSatisfy { $0.count(where: { $0 == "@" }) == 1 } && !acme.challenges.isEmpty
            && Set(acme.challenges).count == acme.challenges.count && ports.allSatisfy((1...65_535).contains)
            && (1...64).contains(acme.limits.parallelOrders) && (1...100_000).contains(acme.limits.ordersPer3Hours)
            && acme.folder?.isEmpty != true && acme.rootsFile?.isEmpty != true
    }

    private static func violation(in findings: [LocatedDiagnostic], in text: [UInt8]) -> String? {
        // UTF-16 and UTF-32 are converted, and places are those of UTF-8.
        let isConverted = text.prefix(4).contains { $0 == 0 || $0 >= 0xFE }
        let count = isConverted ? 3 * text.count : text.count
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        for finding in findings {
            guard let start = finding.start else { return "no position: \(finding)" }
            let range = finding.diagnostic.range
            guard range.start >= 0, range.start <= range.end, range.end <= count else {
                return "\(range) of \(count) bytes: \(finding)"
            }
            // A lone CR ends a line, too.
            guard start.line >= 1, start.column >= 1, start.line <= lines + text.count(where: { $0 == 13 }) else {
                return "line \(start.line) of \(lines): \(finding)"
            }
            for line in [finding.logLine] + finding.block {
                let isVisible = line.unicodeScalars.allSatisfy { $0.value >= 32 && !(0x7F...0x9F).contains($0.value) }
                guard isVisible else { return "a control character in a message: \(line.debugDescription)" }
            }
        }
        return nil
    }

    private static let seeds =
        ([
            "{}",
            #"{"listen":["0.0.0.0:443","[::]:443"],"threads":2}"#,
            """
            {
              "listen": ["127.0.0.1:8443"], "admin": "none", "sites": "sites", "certs": "../certs", "defaultSite": null,
              "limits": { "connections": 16384, "perAddress": 1024, "requestsPerConnection": 0, "fileBytes": 131072 },
              "timeouts": { "handshake": 10, "header": 10, "idle": 60, "write": 15.5, "drain": 3e1 }
            }

            """,
            """
            {
              "wellKnown": { "security.txt": "text/plain; charset=utf-8", "x.json": "application/json" },
              "listen": ["443", "localhost:8443"]
            }
            """,
            """
            {
              "listen": [
                { "address": "unix:/run/aasa/http.sock", "mode": "0660", "owner": 33, "group": "www-data", "health": true },
                { "address": "127.0.0.1:8443", "proxyProtocol": true }, "http://localhost:8080"
              ],
              "trustedProxies": ["loopback", "10.0.0.0/8"], "admin": "unix:/run/aasa/admin.sock"
            }
            """,
            """
            {
              "acme": {
                "agreeToTerms": true, "directory": "https://[::1]:14000/dir", "contact": ["mailto:ops@example.com"],
                "profile": "shortlived", "keyType": "p384", "folder": "../state", "caFile": null, "exclude": ["a.example"],
                "challenges": ["http-01", "dns-persist-01"], "eab": { "kid": "1", "hmacKeyFile": "eab.key" },
                "preflight": false, "challengePorts": { "tls-alpn-01": 5001, "http-01": 5002 },
                "limits": { "parallelOrders": 64, "ordersPer3Hours": 1 }
              }
            }
            """,
        ] + ServerConfiguration.keys.map { $0.document() }).map { Array($0.utf8) }

    private static let pieces =
        Set(ServerConfiguration.keys.flatMap { $0.path.split(separator: ".") }).sorted().map {
            "\"\($0)\":"
        } + ServerConfiguration.keys.map(\.example) + [
            "\"", ",", ",,", ":", "{", "}", "[", "]", "{}", "[]", "\\", "\\u0000", "\\ud800", "//", "/*", "#", "\n",
            "\r\n",
            "\r",
            "\u{FEFF}", "“", "\u{1F600}", "\0", "\u{1B}[2J", "\u{85}", "\u{2028}", "\u{202E}", "null", "true", "false",
            "-1", "0",
            "0.5", "1e9", "1e999", "-0", "1e-400", "9223372036854775808", "99999999999999999999999999999999", "NaN",
            "01",
            "+1",
            "127.0.0.1:0",
            "[::1]:443", "::1:443", "0.0.0.0:65536", "256.1.1.1:1", "localhost:443", "[::ffff:1.2.3.4]:1",
            "[fe80::1%lo]:1",
            "../..", "/etc", "a/b", ".", "", "security.txt", "..", "text/plain\\r\\nX: y", "example.com",
            "*.example.com",
            "1.3",
            "1.1", "combined", "stdout", "/var/log/aasa.log", "lisen", "unix:", "unix:/x", "unix:x",
            "http://", "http://1:80/", "10.0.0.1/8", "0.0.0.0/0", "::/129", "private", "\"address\":", "\"mode\":",
            "letsencrypt", "https://", "http://ca/", "https://ca:0/", "mailto:", "a@b", "dns-01", "tls-alpn-01",
            "\"health\":", "\"proxyProtocol\":", "\"0660\"", "\"4777\"", "Listen", "none",
        ]
}
