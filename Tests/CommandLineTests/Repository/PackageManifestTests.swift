import TestSupport
import Testing

@Suite("Package.swift")
struct PackageManifestTests {
    /// A target, as Package.swift declares it.
    private struct Target {
        let name: String
        let isExecutable: Bool
        let folder: String
        let excluded: [String]
        let dependencies: Set<String>

        /// - Parameter text: what follows `.target(`, up to the next target.
        init?(kind: String, _ text: Substring) {
            func strings(_ list: Substring?) -> [String] {
                (list ?? "").matches(of: #/"([^"]+)"/#).map { String($0.1) }
            }
            guard let name = text.firstMatch(of: #/name: "([^"]+)"/#)?.1 else { return nil }
            self.name = String(name)
            isExecutable = kind == "executableTarget"
            let path = text.firstMatch(of: #/path: "([^"]+)"/#)?.1
            folder = path.map { "\($0)/" } ?? (kind == "testTarget" ? "Tests/" : "Sources/") + name + "/"
            excluded = strings(text.firstMatch(of: #/exclude: \[([^\]]*)\]/#)?.1).map { [folder] in "\(folder)\($0)/" }
            let listed = text.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)?.1
            dependencies = Set(strings(listed?.replacing(#/, package: "[^"]*"/#, with: "")))
        }

        var imports: Set<String> {
            let own = SourceText.swift(in: folder).filter { source in
                !excluded.contains { source.path.hasPrefix($0) }
            }
            let line = #/ *(?:(?:public|package|internal) )?import (?:(?:struct|class|enum|func) )?(\w+)/#
            return Set(
                own.flatMap { $0.lines(with: "import ").compactMap { $0.prefixMatch(of: line).map { String($0.1) } } })
        }
    }

    @Test("declares for each target what its sources import, and nothing else")
    func dependencies() throws {
        let manifest = try Repository.text("Package.swift")
        let starts = manifest.matches(of: #/\.(target|executableTarget|testTarget|systemLibrary)\(/#)
        let ends = starts.dropFirst().map(\.range.lowerBound) + [manifest.endIndex]
        let targets = zip(starts, ends).compactMap { start, end in
            Target(kind: String(start.1), manifest[start.range.upperBound..<end])
        }
        #expect(targets.count == starts.count)
        let declarable = Set(targets.map(\.name)).union(targets.flatMap(\.dependencies))
        // Tests start executables, and what runs before `main` is only linked.
        let notImported = Set(targets.filter(\.isExecutable).map(\.name)).union(["CStartup"])
        for target in targets {
            let imported = target.imports.intersection(declarable).subtracting([target.name])
            #expect(imported.subtracting(target.dependencies).sorted() == [], "\(target.name) imports these")
            let unused = target.dependencies.subtracting(imported).subtracting(notImported)
            #expect(unused.sorted() == [], "\(target.name) does not import these")
        }
    }
}
