import SystemSupport
import TestSupport
import Testing

struct PathTests {
    @Test(
        "relative paths start at the folder of the file",
        arguments: [
            ("Config", "sites", "Config/sites"), ("Config", "../certs", "certs"),
            ("Config", "../", "Config/../"), ("Config", "..//etc", "Config/..//etc"),
            ("/etc/aasa", "../certs", "/etc/aasa/../certs"),
            (".", "sites", "sites"), ("/", "sites", "/sites"), ("a/b", "/c", "/c"), ("..", "../c", "../../c"),
        ])
    func paths(folder: String, path: String, expected: String) {
        #expect(Path.join(folder, path) == expected)
    }

    @Test(
        "the folder of a file", arguments: [("a/b.json", "a"), ("b.json", "."), ("/b.json", "/"), ("/a/b/c", "/a/b")])
    func folders(path: String, expected: String) { #expect(Path.folder(of: path) == expected) }

    @Test(
        "what is below a folder is told by whole names",
        arguments: [
            ("/a/b/c", "/a", "b/c"), ("/a/b", "/", "a/b"), ("/ab", "/a", nil), ("/a", "/a", nil), ("/b", "/a", nil),
        ])
    func relative(path: String, folder: String, expected: String?) {
        #expect(Path.relative(path, to: folder) == expected)
    }

    @Test("a broken link is not missing, and does not exist")
    func links() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("x", to: "file")
        let link = "\(folder.path)/link"
        try folder.link("link", to: "none")
        #expect(Path.exists(file) && !Path.isLink(file) && !Path.isMissing(file))
        #expect(!Path.exists(link) && Path.isLink(link) && !Path.isMissing(link))
        #expect(Path.isMissing("\(folder.path)/none") && Path.isMissing("\(file)/below"))
        #expect(Path.isFolder(folder.path) && !Path.isFolder(file))
        #expect(Path.resolved(link) == nil)
    }

    @Test("the root of a repository is the folder with '.git', or the folder itself")
    func repositoryRoot() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "repository/.git/HEAD")
        try folder.write("x", to: "repository/a/b/file")
        #expect(
            Path.repositoryRoot(around: "\(folder.path)/repository/a/b") == "\(folder.path)/repository")
        #expect(Path.repositoryRoot(around: "/nowhere/at/all") == "/nowhere/at/all")
    }

    @Test("a path of bytes has a name, a folder and an extension")
    func parts() {
        #expect(RawPath("a/b.CER").name == Array("b.CER".utf8))
        #expect(RawPath("a/").name.isEmpty)
        #expect(RawPath("a/b").folder == RawPath("a"))
        #expect(RawPath("/b").folder == RawPath("/"))
        #expect(RawPath("b").folder == RawPath("."))
        #expect(RawPath("a/b.CER").removingExtension([".cer"]) == RawPath("a/b"))
        #expect(RawPath("a/.cer").removingExtension([".cer"]) == RawPath("a/.cer"))
        #expect(RawPath(bytes: [0xFF]).text == "\u{FFFD}")
    }

    @Test("a path is inside a folder by what its links lead to")
    func inside() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "a/file")
        try folder.write("x", to: "ab/file")
        try folder.link("a/out", to: "../ab/file")
        let inner = RawPath("\(folder.path)/a")
        #expect(RawPath("\(folder.path)/a/file").isInside(inner))
        #expect(RawPath("\(folder.path)/a/file").isInside(RawPath("/")))
        #expect(!RawPath("\(folder.path)/a/out").isInside(inner))
        #expect(!RawPath("\(folder.path)/ab/file").isInside(inner))
        #expect(!inner.isInside(inner))
    }
}
