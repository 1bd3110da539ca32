import FuzzingSupport
import LinkPages
import Testing

/// QR codes; that they can be read is checked in the browser's tests, by a reader of somebody else.
struct QRCodeTests {
    private static let url = Array("https://go.example.com/summer?x=1".utf8)

    @Test(
        "a higher level needs a symbol that is at least as large",
        arguments: [(QRCode.Level.low, 29), (.medium, 29), (.quartile, 33), (.high, 33)])
    func levels(level: QRCode.Level, width: Int) throws {
        #expect(try QRCode(Self.url, level: level)?.width == width)
    }

    @Test("the symbol has its three finder patterns, and none in the last corner")
    func finders() throws {
        let code = try #require(try QRCode(Self.url))
        let far = code.width - 7
        for (column, row) in [(0, 0), (far, 0), (0, far)] {
            for x in 0..<7 {
                for y in 0..<7 {
                    let ring = max(abs(x - 3), abs(y - 3))
                    #expect(code.isDark(column: column + x, row: row + y) == (ring != 2))
                }
            }
        }
        #expect((0..<7).contains { !code.isDark(column: far + $0, row: far) })
        #expect(!code.isDark(column: -1, row: 0) && !code.isDark(column: 0, row: code.width))
    }

    @Test("URLs of up to 1,000 bytes fit into a symbol of every level, and longer ones are refused")
    func lengths() throws {
        let longest = [UInt8](repeating: UInt8(ascii: "a"), count: QRCode.maxURLBytes)
        for level in QRCode.Level.allCases { #expect(try QRCode(longest, level: level) != nil) }
        #expect(try QRCode(longest + [UInt8(ascii: "a")]) == nil)
        #expect(try QRCode([] as [UInt8]) == nil)
        #expect(try QRCode([UInt8(ascii: "a"), 0, UInt8(ascii: "b")]) == nil)
    }

    @Test("the lines of the SVG are the dark modules, inside a quiet zone of four on white")
    func svg() throws {
        let code = try #require(try QRCode(Self.url))
        let svg = code.svg
        let side = code.width + 8
        let image = try Markup(svg)
        #expect(image.tags.map(\.name) == ["svg", "path", "path"])
        #expect(image.tags[0].attributes["viewBox"] == "0 0 \(side) \(side)")
        #expect(image.tags[1].attributes == ["fill": "#fff", "d": "M0 0h\(side)v\(side)H0z"])
        let path = try #require(image.tags[2].attributes["d"])
        var drawn = Set<[Int]>()
        for line in path.split(separator: "M") {
            let parts = line.split { $0 == "m" }
            var column = 0
            var row = 0
            for (number, part) in parts.enumerated() {
                // The first is "COLUMN ROW.5hLENGTH", the others are "DISTANCE 0hLENGTH".
                let words = part.split { $0 == " " || $0 == "h" }
                let (x, length) = (try #require(Int(words[0])), try #require(Int(words[2])))
                if number == 0 { row = try #require(Int(words[1].dropLast(2))) }
                column = number == 0 ? x : column + x
                for module in column..<column + length { drawn.insert([module - 4, row - 4]) }
                column += length
            }
        }
        for row in 0..<code.width {
            for column in 0..<code.width {
                #expect(drawn.contains([column, row]) == code.isDark(column: column, row: row))
            }
        }
        #expect(drawn.allSatisfy { $0[0] < code.width && $0[1] < code.width })
    }

    @Test("the text draws the light modules, two in a character, with the quiet zone")
    func text() throws {
        let code = try #require(try QRCode(Self.url))
        let lines = code.text.split(separator: "\n").map(Array.init)
        #expect(lines.count == (code.width + 8 + 1) / 2)
        for (number, line) in lines.enumerated() {
            #expect(line.count == code.width + 8)
            for (index, character) in line.enumerated() {
                let (column, row) = (index - 4, 2 * number - 4)
                #expect("█▀".contains(character) == !code.isDark(column: column, row: row))
                if row + 1 < code.width + 4 {
                    #expect("█▄".contains(character) == !code.isDark(column: column, row: row + 1))
                }
            }
        }
    }

    @Test("codes that are drawn at the same time are the same")
    func concurrency() async throws {
        let expected = try #require(try QRCode(Self.url)).svg
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<64 { group.addTask { (try? QRCode(Self.url))??.svg } }
            for await svg in group { #expect(svg == expected) }
        }
    }
}
