import Foundation
import TestSupport
import Testing

/// `Packaging/package` with the programs that the tests have; `.ci/packages` tries everything with those of a release.
@Suite("Packaging/package", .waiting)
struct PackageScriptTests {
    /// A copy of the files that the script reads, in a folder without Git.
    private static func copy(mode: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let script =
            #"umask \#(mode) && mkdir "$1/a copy" && cp -R Packaging Config docs LICENSE README.md CHANGELOG.md "$1/a copy/""#
        let outcome = try Shell.run(["sh", "-c", script, "-", folder.path], in: Repository.root)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return folder
    }

    /// A folder with the two programs alone.
    private static func programs(_ folder: TemporaryFolder) throws -> String {
        let bin = folder.url.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        for name in ["aasa", "certcheck"] { try folder.link("bin/\(name)", to: BuiltTool(name).executable) }
        return bin.path
    }

    private static func run(
        _ folder: TemporaryFolder, _ variables: [String], _ programs: String, _ targets: String...
    ) throws -> Shell.Outcome {
        try Shell.run(
            ["env"] + variables + ["./Packaging/package", programs] + targets,
            in: folder.url.appendingPathComponent("a copy"))
    }

    /// A folder with two programs that start the others: small ones, as to pack the others takes seconds.
    private static func launchers(_ folder: TemporaryFolder) throws -> String {
        for name in ["aasa", "certcheck"] {
            let text =
                #"#include <unistd.h>\#nint main(int n, char **a) { (void)n; return execv("\#(try BuiltTool(name).executable)", a); }"#
            let (source, program) = (try folder.write(text, to: "bin/\(name).c"), "\(folder.path)/bin/\(name)")
            let outcome = try Shell.run(["clang", "-o", program, source])
            guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        }
        return "\(folder.path)/bin"
    }

    @Test(
        "an archive has the same bytes whatever the time zone, the locale, the umask and the time",
        .needs(ExternalProgram("clang")))
    func reproducible() throws {
        let surroundings = [
            ("022", ["TZ=UTC", "LC_ALL=C", "SOURCE_DATE_EPOCH=1795305780"]),
            (
                "077",
                [
                    "TZ=Asia/Kathmandu", "LC_ALL=tr_TR.UTF-8", "GZIP=-1", "COLUMNS=40", "FORCE_COLOR=1",
                    "SOURCE_DATE_EPOCH=1795305780",
                ]
            ),
        ]
        var archives: [Data] = []
        for (mode, variables) in surroundings {
            let folder = try Self.copy(mode: mode)
            let outcome = try Self.run(folder, variables, try Self.launchers(folder), "tarball")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let name = try #require(outcome.text.split(separator: "\n").first).replacing(".build/dist/", with: "")
            #expect(name.wholeMatch(of: #/aasa-[\d.]+-linux-\w+\.tar\.gz/#) != nil, "\(name)")
            archives.append(try Data(contentsOf: folder.url.appendingPathComponent("a copy/.build/dist/\(name)")))
        }
        #expect(archives[0] == archives[1])
        let folder = try TemporaryFolder()
        let list = try Shell.run(["tar", "-tvz", "--numeric-owner"], input: archives[0]).text.split(separator: "\n")
        for line in list {
            #expect(line.contains(" 0/0 ") && line.contains("2026-11-22"), "\(line)")
            #expect(["drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--"].contains(String(line.prefix(10))), "\(line)")
        }
        // It runs from where it is unpacked, and its completions can be sourced.
        try Shell.run(["tar", "-xz", "--strip-components=1"], input: archives[0], in: folder.url)
        let tool = try BuiltTool()
        #expect(try Shell.run(["\(folder.path)/bin/aasa", "--version"]).text == tool.run("--version").text)
        let bash = try String(contentsOfFile: "\(folder.path)/share/bash-completion/completions/aasa", encoding: .utf8)
        #expect(!bash.hasPrefix("#!") && bash.contains("complete"))
        let unit = try String(contentsOfFile: "\(folder.path)/lib/systemd/system/aasa.service", encoding: .utf8)
        #expect(unit.hasPrefix("[Unit]\n") && unit.contains("\nExecStart=/usr/local/bin/aasa serve"))
    }

    @Test(
        "programs with packed relocations depend on glibc 2.36, which has the loader for them",
        .needs(ExternalProgram("dpkg-shlibdeps", package: "dpkg-dev"), ExternalProgram("clang")),
        arguments: [("-Wl,-z,pack-relative-relocs", "libc6 (>= 2.36)"), ("-Wl,-z,nopack-relative-relocs", nil)])
    func glibc(option: String, expected: String?) throws {
        let folder = try TemporaryFolder()
        try folder.write("int number; int *address = &number; int main(void) { return *address; }\n", to: "a.c")
        let script = """
            set -e
            clang -fuse-ld=lld -pie -fPIE "$1" -o "$2/aasa" "$2/a.c"
            cp "$2/aasa" "$2/certcheck"
            work=$2
            die() { echo "$*" >&2; exit 1; }
            . Packaging/deb.sh
            shared_libraries
            """
        let outcome = try Shell.run(["sh", "-c", script, "-", option, folder.path], in: Repository.root)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let libraries = outcome.text.trimmingCharacters(in: .newlines)
        if let expected {
            #expect(libraries == expected)
        } else {
            #expect(libraries.wholeMatch(of: #/libc6 \(>= 2\.(1\d|2\d|3[0-5])\)/#) != nil, "\(libraries)")
        }
    }

    @Test("what is wrong is said in one line")
    func refused() throws {
        let folder = try Self.copy(mode: "022")
        let programs = try Self.programs(folder)
        let time = ["SOURCE_DATE_EPOCH=1795305780"]
        func message(_ variables: [String], _ programs: String, _ target: String) throws -> String {
            let outcome = try Self.run(folder, variables, programs, target)
            #expect(outcome.status == 1)
            return outcome.errors.split(separator: "\n").last.map(String.init) ?? ""
        }
        #expect(
            try message(time, "/nowhere", "deb")
                == "package: there is no folder '/nowhere'; BINARIES names the one with 'aasa' and 'certcheck'")
        #expect(try message(time, folder.path, "deb").hasPrefix("package: there is no program '"))
        #expect(
            try message(time, programs, "rpm")
                == "package: unknown target 'rpm'; expected deb, tarball, image or dist")
        #expect(try message(["SOURCE_DATE_EPOCH=now"], programs, "tarball").contains("expected seconds since 1970"))
        #expect(try message(["GIT_DIR=/nowhere"], programs, "tarball").contains("please set SOURCE_DATE_EPOCH"))
        let changes = folder.url.appendingPathComponent("a copy").appendingPathComponent("CHANGELOG.md")
        try "# Changelog\n\n## [99.0.0] – 2030-01-01\n".write(to: changes, atomically: true, encoding: .utf8)
        #expect(try message(time, programs, "tarball").hasSuffix("the latest version of CHANGELOG.md is 99.0.0"))
    }

    @Test("the scripts are those of any POSIX shell", .needs(ExternalProgram("shellcheck")))
    func scripts() throws {
        let outcome = try Shell.run(
            ["shellcheck", "-x", "-P", ".", "Packaging/package"], in: Repository.root)
        #expect(outcome.status == 0, "\(outcome.text)")
        let names = ["postinst", "prerm", "postrm"].map { "Packaging/debian/\($0)" } + [".ci/packages"]
        let others = try Shell.run(["shellcheck"] + names, in: Repository.root)
        #expect(others.status == 0, "\(others.text)")
        for name in names { #expect(try Repository.text(name).hasPrefix("#!/bin/sh\n"), "\(name)") }
    }
}
