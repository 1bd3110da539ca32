import CommandLineSupport
import Foundation
import SystemSupport
import TestSupport
import Testing

/// Files that are made where there are none (push-certificates.md, section 10).
@Suite("New files")
struct CertcheckRenewalFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, mode: UInt32 = 0o600, _ text: String = "new") -> NewFile {
        NewFile(RawPath("\(folder.path)/\(name)"), mode: mode, bytes: Array(text.utf8))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
    }

    @Test("all are made")
    func all() throws {
        #expect(NewFile.create([file("a"), file("b", mode: 0o640, "other")]) == nil)
        #expect(try names() == ["a", "b"])
        #expect(try text("a") == "new")
        #expect(try text("b") == "other")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/b")
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test("or none, if one of them cannot be made; what was there stays")
    func none() throws {
        try folder.write("mine", to: "c")
        let failed = NewFile.create([file("a"), file("b"), file("c"), file("d")])
        #expect(failed?.path.text == "\(folder.path)/c")
        #expect(failed?.reason == "it exists already")
        #expect(try names() == ["c"])
        #expect(try text("c") == "mine")
        #expect(NewFile.create([file("a"), file("none/b")])?.path.text == "\(folder.path)/none/b")
        #expect(try names() == ["c"])
    }

    @Test("a link is not followed, wherever it leads")
    func links() throws {
        try folder.write("mine", to: "target")
        for (name, target) in [("nowhere", "none"), ("somewhere", "target")] {
            try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
            #expect(NewFile.obstacle(at: file(name).path) == "it exists already")
            #expect(NewFile.create([file("a"), file(name)]) != nil)
            #expect(file(name).place { _ in nil } == "it exists already")
        }
        #expect(try names() == ["nowhere", "somewhere", "target"])
        #expect(try text("target") == "mine")
    }

    @Test("a file appears under its name when it was approved of, and not before")
    func placing() throws {
        let new = file("a", "content")
        let failure = new.place { bytes in
            #expect(bytes == Array("content".utf8))
            #expect((try? names().contains("a")) == false)
            return "no good"
        }
        #expect(failure == "no good")
        #expect(try names() == [])
        #expect(new.place { _ in nil } == nil)
        #expect(try names() == ["a"])
        #expect(try text("a") == "content")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/a")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("what appears meanwhile is not replaced")
    func race() throws {
        let failure = file("a").place { _ in
            _ = try? folder.write("mine", to: "a")
            return nil
        }
        #expect(failure == "it exists already")
        #expect(try names() == ["a"])
        #expect(try text("a") == "mine")
    }

    @Test("obstacles are seen before")
    func obstacles() throws {
        try folder.write("", to: "file")
        #expect(NewFile.obstacle(at: file("new").path) == nil)
        #expect(NewFile.obstacle(at: file("file").path) == "it exists already")
        #expect(NewFile.obstacle(at: file("file/new").path) != nil)
        #expect(NewFile.obstacle(at: file("none/new").path)?.contains("folder") == true)
        #expect(NewFile.obstacle(at: file("none/").path) != nil)
        #expect(NewFile.obstacle(at: file(String(repeating: "n", count: 300)).path) != nil)
        #expect(NewFile.obstacle(at: RawPath("")) != nil)
    }

    @Test(
        "the parts of a path are found",
        arguments: [
            ("a.cer", ".", "a"), ("/a.CER", "/", "/a"), ("x/a.cer", "x", "x/a"), ("x.cer/a", "x.cer", "x.cer/a"),
            (".cer", ".", ".cer"), ("x/.cer", "x", "x/.cer"), ("a.cer.cer", ".", "a.cer"), ("x//a", "x/", "x//a"),
        ])
    func parts(path: String, folder: String, stem: String) {
        #expect(RawPath(path).folder.text == folder)
        #expect(RawPath(path).removingExtension([".cer", ".pem"]).text == stem)
        #expect(RawPath(path).appending(".p12").text == "\(path).p12")
    }
}
