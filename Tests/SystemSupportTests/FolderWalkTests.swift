import SystemSupport
import TestSupport
import Testing

struct FolderWalkTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["a/file", "a/deep/file", ".hidden/file", "skipped/file", "leftover~/file", "b.swp/file", "file"] {
            try folder.write("x", to: name)
        }
        try folder.link("toFolder", to: "a")
        try folder.link("toFile", to: "file")
        try folder.link("nowhere", to: "none")
        try folder.link("circle", to: "circle")
    }

    private func names(_ paths: [RawPath]) -> [String] {
        paths.map { String($0.text.dropFirst(folder.path.utf8.count + 1)) }
    }

    @Test("the folders in a folder, also by way of links; hidden ones and leftovers left out")
    func folders() throws {
        #expect(try Folder.folders(in: folder.path) == ["a", "circle", "nowhere", "skipped", "toFolder"])
        #expect(throws: SystemError.self) { try Folder.folders(in: "\(folder.path)/file") }
        #expect(throws: SystemError.self) { try Folder.folders(in: "\(folder.path)/none") }
    }

    @Test("so many names of a folder as are asked for, and none of what is not one")
    func some() {
        #expect(Folder.names(in: folder.path, most: 3).count == 3)
        #expect(Set(Folder.names(in: "\(folder.path)/a", most: 10)) == ["file", "deep"])
        #expect(Folder.names(in: "\(folder.path)/none", most: 10).isEmpty)
    }

    @Test("all files below a folder, sorted; links to folders left out")
    func below() {
        let found = FolderWalk.files(below: RawPath(folder.path))
        #expect(found.allSatisfy { $0.error == nil })
        #expect(
            names(found.map(\.path)) == [
                ".hidden/file", "a/deep/file", "a/file", "b.swp/file", "circle", "file", "leftover~/file", "nowhere",
                "skipped/file", "toFile",
            ])
    }

    @Test("the files directly in a folder, also by way of links")
    func direct() throws {
        #expect(names(try FolderWalk.files(directlyIn: RawPath(folder.path))) == ["file", "toFile"])
        let error = #expect(throws: SystemError.self) {
            try FolderWalk.files(directlyIn: RawPath("\(folder.path)/none"))
        }
        #expect(error?.reason == "no such file or directory")
    }

    @Test("folders that are skipped are not entered, and one that cannot be read is told")
    func skipping() {
        var walk = FolderWalk(RawPath(folder.path), skipping: ["skipped", ".hidden", "a", "b.swp", "leftover~"])
        var found: Set<String> = []
        while let entry = walk.next() { found.insert(String(decoding: entry.name, as: UTF8.self)) }
        #expect(found == ["circle", "file", "nowhere", "toFile", "toFolder"])
        #expect(walk.unreadable.isEmpty)
        var missing = FolderWalk(RawPath("\(folder.path)/none"))
        #expect(missing.next() == nil)
        #expect(missing.unreadable.map(\.error.reason) == ["no such file or directory"])
    }

    @Test("the volume of Kubernetes is shown once, by the names that people know")
    func kubernetes() throws {
        let volume = try TemporaryFolder()
        try volume.write("x", to: "..2026_11_22/file")
        try volume.link("..data", to: "..2026_11_22")
        try volume.link("file", to: "..data/file")
        let found = FolderWalk.files(below: RawPath(volume.path))
        #expect(found.map(\.path.text) == ["\(volume.path)/file"])
    }

    @Test("in the working folder paths are short, but for a file that would be taken for standard input")
    func workingFolder() {
        var walk = FolderWalk(RawPath("."), isFlat: true)
        while let entry = walk.next() { #expect(!entry.path.text.hasPrefix("./")) }
    }
}
