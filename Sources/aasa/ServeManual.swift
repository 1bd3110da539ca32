import AssociationServer
import CommandLineSupport

extension Serve {
    static let manual = CommandManual(
        examples: [
            .init("aasa serve --config /etc/aasa/server.json", "serve with a configuration"),
            .init("aasa serve --sites sites --certs certs --listen localhost:8443", "try a folder of sites"),
            .init("aasa serve --listen unix:/run/aasa/http.sock", "serve plain HTTP to a proxy that terminates TLS"),
            .init("aasa serve --config /etc/aasa/server.json --check", "find problems before a restart"),
        ],
        exits: [
            .init(.done, "if it was stopped by a signal"),
            .init(
                .failed,
                "if there is nothing to serve, --check or --strict-sites found a problem, or the server is not ready for --probe"
            ),
            .init(.unusableData, "if server.json cannot be used"),
            .init(.missingFile, "if a file or folder is missing or cannot be read"),
            .init(.unavailable, "if an address cannot be bound, or nothing answers --probe"),
        ],
        files: [
            .init("/etc/aasa/server.json", "The configuration of the service that the Debian package installs."),
            .init("/etc/aasa/sites", "Its sites, one folder per domain."),
            .init("/etc/letsencrypt/live", "Its certificates, one folder per certificate."),
        ],
        environment: [
            .init(
                "LISTEN_FDS",
                "The number of sockets that the service manager has opened, with `LISTEN_FDNAMES` and `LISTEN_PID`."
            ),
            .init("NOTIFY_SOCKET", "The socket to which readiness is reported."),
            .init("WATCHDOG_USEC", "The interval of the service manager's watchdog, with `WATCHDOG_PID`."),
            .init("JOURNAL_STREAM", "If standard error is this stream, messages get the priorities of the journal."),
        ],
        seeAlso: ["aasa-certificates(1)", "aasa-server.json(5)", "systemd.socket(5)"])
}

/// aasa-server.json(5).
enum ServerConfigurationPage {
    static var page: ManualPage {
        var page = ManualPage("aasa-server.json", section: 5, summary: "configuration of aasa serve")
        page.synopsis(path: "/etc/aasa/server.json")
        page.section("DESCRIPTION")
        page.prose(
            """
            The file that `aasa serve --config` reads is a JSON object. Every key is optional. A key with a dot is a key \
            in an object: `limits.connections` is written `{"limits": {"connections": 16384}}`. Paths are relative to the \
            folder of the file.

            An unknown key, a wrong type or a value out of range is an error with line and column; all of them are \
            reported. `aasa serve --config FILE --check` reads the file without serving. A running server reads it again \
            on SIGHUP, and logs which keys need a restart.

            These are the keys:
            """)
        page.list(
            ServerConfiguration.keys.map { key in
                let restart = key.needsRestart ? " A change needs a restart." : ""
                return (key.path, "\(key.meaning)\(restart)\n\nValue: \(key.expected).\nDefault: \(key.defaultValue).")
            }, macro: "Cm")
        page.section("FILES")
        page.list([("/etc/aasa/server.json", "The file of the service that the Debian package installs.")], macro: "Pa")
        page.section("EXAMPLES")
        page.prose("Certificates as certbot keeps them, and an access log in a file:")
        page.literal([
            "{", #"  "certs": "/etc/letsencrypt/live","#, #"  "log": { "access": "/var/log/aasa/access.log" }"#, "}",
        ])
        page.seeAlso(["aasa-serve(1)"])
        return page
    }
}
