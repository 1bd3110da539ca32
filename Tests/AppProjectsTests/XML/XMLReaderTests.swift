import Android
import AppProjects
import Diagnostics
import FuzzingSupport
import Testing

struct XMLReaderTests {
    private func read(_ text: String) throws -> XMLDocument { try XMLReader.read(Array(text.utf8), path: "a.xml") }

    private func failure(_ bytes: [UInt8], _ limits: XMLReader.Limits = .init()) -> AppProjectError? {
        do throws(AppProjectError) {
            _ = try XMLReader.read(bytes, path: "a.xml", limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func failure(_ text: String) -> AppProjectError? { failure(Array(text.utf8)) }

    @Test("elements, attributes and text have their positions")
    func positions() throws {
        let text = #"<?xml version="1.0"?>"# + "\n<a x='1'\n y=\"&lt;2\"><b> one &amp; <!-- no --> two</b><c/></a>\n"
        let document = try read(text)
        func part(_ range: SourceRange) -> String {
            String(decoding: document.source.bytes[range.start..<range.end], as: UTF8.self)
        }
        let root = document.root
        #expect(root.name == "a")
        #expect(part(root.tagRange) == "<a x='1'\n y=\"&lt;2\">")
        #expect(root.attributes.map(\.name) == ["x", "y"])
        #expect(root.attributes.map(\.value) == ["1", "<2"])
        #expect(root.attributes.map { part($0.range) } == ["1", "&lt;2"])
        #expect(root.attribute("y")?.value == "<2" && root.attribute("z") == nil)
        let child = try #require(root.children.first { $0.name == "b" })
        #expect(child.text == " one &  two")
        #expect(part(child.textRange) == " one &amp; <!-- no --> two")
        #expect(part(root.children[1].tagRange) == "<c/>")
        #expect(root.children[1].text.isEmpty && root.children[1].textRange.length == 0)
        #expect(document.source.position(at: child.tagRange.start).line == 3)
    }

    @Test("the encodings of XML are read, and UTF-16 has the positions of the text")
    func encodings() throws {
        let text = "<a>Bücher</a>"
        #expect(try read("\u{FEFF}" + text).root.text == "Bücher")
        for isBig in [true, false] {
            for mark in [[0xFEFF], []] as [[UInt16]] {
                let units = mark + Array("<?xml version='1.0' encoding='UTF-16'?>\(text)".utf16)
                let bytes = units.flatMap { unit -> [UInt8] in
                    let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
                    return isBig ? pair : pair.reversed()
                }
                let document = try XMLReader.read(bytes, path: "a.xml")
                #expect(document.root.text == "Bücher")
                let range = document.root.textRange
                #expect(String(decoding: document.source.bytes[range.start..<range.end], as: UTF8.self) == "Bücher")
            }
        }
        let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>B".utf8) + [0xFC] + Array("cher</a>".utf8)
        #expect(try XMLReader.read(latin, path: "a.xml").root.text == "Bücher")
    }

    @Test("a section of character data is text, and a document type without entities is no obstacle")
    func sections() throws {
        #expect(try read("<a>x<![CDATA[<y>]]></a>").root.text == "x<y>")
        let type = #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://localhost:9/nothing.dtd">"#
        #expect(try read("\(type)<plist/>").root.name == "plist")
        #expect(try read("<!DOCTYPE a [<!ELEMENT a (b|c)*>]><a/>").root.name == "a")
    }

    @Test(
        "what is not well-formed is refused where it stops being so",
        arguments: [
            ("", 1, 1), ("<a>", 1, 4), ("<a>\n<b></a>", 2, 6), ("<a x=1/>", 1, 6), ("<a/><b/>", 1, 5),
            ("<a>&x;</a>", 1, 4),
            ("text", 1, 1), ("<a x='1' x='2'/>", 1, 10), ("<a>\u{1}</a>", 1, 4),
        ])
    func malformed(text: String, line: Int, column: Int) throws {
        let error = try #require(failure(text))
        let position = try #require(error.position)
        #expect((position.line, position.column) == (line, column), "\(error.message)")
        #expect(error.message.first?.isLowercase == true && !error.message.hasSuffix("."))
    }

    @Test(
        "entities are neither expanded nor fetched",
        arguments: [
            #"<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>"#,
            #"<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>"#,
            #"<!DOCTYPE a [<!ENTITY % b SYSTEM "http://localhost:9/"> %b;]><a/>"#,
            #"<!DOCTYPE a SYSTEM "http://localhost:9/x.dtd"><a>&b;</a>"#,
            #"<!DOCTYPE a [<!ATTLIST a b CDATA "c">]><a/>"#,
        ])
    func entities(text: String) throws {
        let error = try #require(failure(text))
        #expect(error.code == .unusable && error.message.contains("declare"), "\(error)")
    }

    @Test("a bomb of entities costs nothing")
    func bomb() throws {
        var text = "<!DOCTYPE a [<!ENTITY x0 \"\(String(repeating: "x", count: 100))\">"
        for level in 1..<30 {
            text += "<!ENTITY x\(level) \"\(String(repeating: "&x\(level - 1);", count: 10))\">"
        }
        // Whoever unpacks it never ends.
        let start = ThreadTime.nanoseconds
        #expect(failure(text + "]><a>&x29;</a>") != nil)
        #expect(ThreadTime.nanoseconds - start < 60_000_000_000)
    }

    @Test("512 levels are read, and not more")
    func levels() throws {
        func nested(_ count: Int) -> [UInt8] {
            Array((String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)).utf8)
        }
        #expect(failure(nested(512)) == nil)
        #expect(failure(nested(513))?.message.contains("512 levels") == true)
        #expect(failure(nested(500_000))?.message.contains("512 levels") == true)
    }

    @Test("size and number of elements have limits")
    func limits() throws {
        var limits = XMLReader.Limits()
        limits.nodes = 10
        #expect(failure(Array("<a>\(String(repeating: "<b/>", count: 9))</a>".utf8), limits) == nil)
        #expect(failure(Array("<a>\(String(repeating: "<b/>", count: 10))</a>".utf8), limits) != nil)
        #expect(failure(Array("<a b='' c=''>\(String(repeating: "<b/>", count: 8))</a>".utf8), limits) != nil)
        limits = XMLReader.Limits()
        limits.bytes = 1 << 20
        let text = "<a>\(String(repeating: "x", count: 1 << 20))</a>"
        #expect(failure(Array(text.utf8), limits)?.message == "the XML cannot be read: it is larger than 1 MiB")
        #expect(failure(Array(text.utf8)) == nil)
    }

    @Test("a file that is cut off anywhere is refused")
    func truncated() {
        let text = Array("<?xml version='1.0'?><!DOCTYPE a><a b='c'>ü<d/>&amp;<![CDATA[x]]><!-- e --></a>".utf8)
        #expect(failure(text) == nil)
        for count in text.indices { #expect(failure(Array(text[..<count])) != nil, "\(count)") }
    }
}
