import AppSiteAssociation
import Diagnostics
import FuzzingSupport
import Testing
import URLPatterns

@Suite("Files that somebody has damaged")
struct DecoderFuzzTests {
    private static let sample = Array(
        ##"""
        {"applinks": {"apps": [], "defaults": {"caseSensitive": false, "/": "*"},
          "substitutionVariables": {"v": ["a", "b*"], "w\u00e9": []},
          "details": [
            {"appIDs": ["A.a", "B.b"], "defaults": {"percentEncoded": false}, "components": [
              {"/": "/buy/*", "?": {"id": "????"}, "#": "top", "exclude": true, "comment": "c"}, {"?": "a=$(v)"}]},
            {"appID": "C.c", "paths": ["NOT /x/*", "/y"]}]},
         "webcredentials": {"apps": ["A.a"]}, "appclips": {"apps": ["A.a.Clip"]}}
        """##.utf8)
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "null", "true", "1e9", "\"/\":", "\"details\":", "{}", "[]", "\\", "\\u00",
        "\u{FEFF}", " ",
        "\"components\":[{}]", "\"?\":{\"a\":1},", "\"appID\":\"D\",", "\u{0}", "é",
    ].map { Array($0.utf8) }

    @Test("are read or refused, and nothing else happens", arguments: TestSeeds.of(0...3))
    func damaged(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var read = 0
        for _ in 0..<1_000 {
            var bytes = Self.sample
            for _ in 0..<random.number(below: 4) { Self.damage(&bytes, &random) }
            do {
                let document = try AssociationDocument(bytes)
                for rule in document.appLinks?.details.flatMap(\.rules) ?? [] {
                    #expect(rule.range.start < rule.range.end && rule.range.end <= document.source.bytes.count)
                }
                let url = WebURL("https://example.com/buy/1?id=1234#top".utf8)
                if let url { _ = ReferenceMatcher(document).decide(url) }
                read += 1
            } catch {
                #expect(!error.diagnostics.isEmpty)
                #expect(error.diagnostics.allSatisfy { $0.range.end <= error.source.bytes.count })
            }
        }
        #expect(read > 200)
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let place = random.number(below: bytes.count)
        switch random.number(below: 5) {
        case 0: bytes[place] = random.byte()
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: random.pick(pieces), at: place)
        case 3: bytes.removeSubrange(place..<min(place + random.number(below: 40), bytes.count))
        default: bytes.append(contentsOf: bytes[place..<min(place + 60, bytes.count)])
        }
    }
}
