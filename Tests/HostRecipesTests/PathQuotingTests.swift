import HostRecipes
import Testing

/// The paths that formats write; that servers read them so is tested with the servers.
struct PathQuotingTests {
    @Test(
        "special characters are written as the format has them",
        arguments: [
            (PathQuoting.nginx, #"/a b/"c"\d'#{;}"#, #""/a b/\"c\"\\d'#{;}""#),
            (.apache, #"/a b/"c"\d$%#"#, #""/a b/\"c\"\\d$%#""#),
            (.apacheTarget, #"/a b/"c"\d$%#"#, #"/a\ b/"c"\\d\$\%#"#), (.nginxInclude, #"/a\b c"#, #""/a\\b c""#),
            (.nginxInclude, #"/a\b [c]?"#, #""/a\\\\b [[]c][?]""#), (.apacheInclude, "/a*", #""/a[*]""#),
            (.caddyImport, #"/a\b c*"#, #"`/a\\b c\*`"#),
            (.caddy, "/var/www/aasa", "/var/www/aasa"),
            (.caddy, #"/a b/"c"\d"#, #"`/a b/"c"\d`"#),
            (.caddy, #"/a b/"c"`d"#, #""/a b/\"c\"`d""#),
            (.haproxy, #"/a b/"c"\d$e#%'"#, #""/a b/\"c\"\\d\$e#%'""#),
            (.lighttpd, #"/a b/"c"\d$e#%'{"#, #""/a b/\"c\"\d$e#%'{""#),
            (.lighttpdInclude, #"/a\b [c]?*{d}"#, #""/a\\b [[]c][?][*]\{d}""#),
            (.yaml, #"/a b/"c"\d$e#%'{"#, #""/a b/\"c\"\\d$e#%'{""#), (.yaml, "/a\u{85}\u{2028}b", #""/a\N\Lb""#),
            (.shell, "/var/www/aasa", "/var/www/aasa"),
            (.shell, #"/it's "a" $b\c"#, #"'/it'\''s "a" $b\c'"#),
            (.plain, #"/it's "a" $b\c"#, #"/it's "a" $b\c"#),
        ])
    func quoted(_ quoting: PathQuoting, _ path: String, _ expected: String) throws {
        #expect(try quoting.quoted(path) == expected)
    }

    @Test(
        "what a format cannot express is refused, and it says why",
        arguments: [
            (PathQuoting.nginx, "/a$b", "'$'"), (.apache, "/a${b}", "'${'"), (.apacheTarget, "/a${b}", "'${'"),
            (.apacheTarget, "/a?b", "'?'"), (.caddy, "/a{b}", "'{'"), (.caddy, "/a`\\b", "'`'"),
            (.lighttpd, #"/a\"b"#, "has no way"), (.caddyImport, "/a[b]", "'['"), (.caddyImport, "/a{b}", "'{'"),
        ])
    func refused(_ quoting: PathQuoting, _ path: String, _ reason: String) {
        let problem = #expect(throws: PathQuoting.Problem.self) { try quoting.quoted(path) }
        #expect(problem?.description.contains(reason) == true)
    }

    @Test("no format has control characters", arguments: PathQuoting.allCases)
    func controlCharacters(_ quoting: PathQuoting) {
        for control in ["\n", "\r", "\t", "\u{0}", "\u{1B}", "\u{7F}"] {
            let problem = #expect(throws: PathQuoting.Problem.self) { try quoting.quoted("/a\(control)b") }
            #expect(problem?.description.contains("control character (U+00") == true)
        }
    }
}
