import AssociationLint
import Testing

struct GlobTests {
    @Test(
        "A glob matches paths part by part",
        arguments: [
            ("old/**", "old/a", true), ("old/**", "old/a/b", true), ("old/**", "older/a", false),
            ("**/apple-app-site-association", "a/b/apple-app-site-association", true),
            ("**/apple-app-site-association", "apple-app-site-association", true),
            ("*/x", "a/x", true), ("*/x", "a/b/x", false), ("a/*/c", "a/b/c", true), ("a/**/c", "a/c", true),
            ("a/**/c", "a/b/b/c", true), ("*.json", "a/b.json", true), ("b.json", "a/b.json", true),
            ("./a/b", "a/b", true), ("/a/b", "a/b", true), ("a?c", "abc", true), ("a?c", "ac", false),
            ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false), ("", "a", false), ("**", "a/b", true),
            ("a/b", "a", false),
        ])
    func matching(pattern: String, path: String, isMatch: Bool) {
        #expect(Glob(pattern).matches(path) == isMatch)
    }

    @Test("A hostile glob takes no time")
    func hostile() {
        let pattern = String(repeating: "**/a*a*a*a*/", count: 200)
        #expect(Glob(pattern).matches(String(repeating: "aaaaaaaaaaaaaab/", count: 200)))
    }
}
