import PushCertificates
import PushSamples
import Testing

@Suite("Lists of topics")
struct TopicListTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let topics: [Topic]
        let isMalformed: Bool

        init(_ description: String, _ bytes: [UInt8], _ topics: [Topic], isMalformed: Bool = false) {
            testDescription = description
            self.bytes = bytes
            self.topics = topics
            self.isMalformed = isMalformed
        }
    }

    private static func purposes(_ names: String...) -> [UInt8] { DER.sequence(of: names.map(DER.utf8)) }
    private static let long = String(repeating: "a", count: 300)

    static let wellFormed: [Case] = [
        Case(
            "one", [0x30, 0x0E, 0x0C, 0x03, 0x61, 0x2E, 0x62, 0x30, 0x07, 0x0C, 0x05] + Array("topic".utf8),
            [Topic(name: "a.b", purposes: ["topic"])]),
        Case(
            "of today",
            DER.sequence(
                DER.utf8("com.a"), purposes("topic"), DER.utf8("com.a.voip"), purposes("voip"),
                DER.utf8("com.a.complication"),
                purposes("complication")),
            [
                Topic(name: "com.a", purposes: ["topic"]), Topic(name: "com.a.voip", purposes: ["voip"]),
                Topic(name: "com.a.complication", purposes: ["complication"]),
            ]),
        Case(
            "purposes as they are",
            DER.sequence(DER.utf8("a"), purposes("app", ".voip-ptt", "Ä"), DER.utf8("b"), purposes("b")),
            [Topic(name: "a", purposes: ["app", ".voip-ptt", "Ä"]), Topic(name: "b", purposes: ["b"])]),
        Case(
            "long lengths", DER.sequence(DER.utf8(long), purposes(long, long)),
            [Topic(name: long, purposes: [long, long])]),
        Case(
            "lengths longer than need be",
            [0x30, 0x84, 0, 0, 0, 0x0C, 0x0C, 0x82, 0, 1, 0x61, 0x30, 0x82, 0, 3, 0x0C, 1, 0x62],
            [Topic(name: "a", purposes: ["b"])]),
        Case(
            "an indefinite length", [0x30, 0x80] + DER.utf8("a") + purposes("p") + [0, 0],
            [Topic(name: "a", purposes: ["p"])]),
    ]

    static let odd: [Case] = [
        Case("no purpose", DER.sequence(DER.utf8("a"), purposes()), [Topic(name: "a")], isMalformed: true),
        Case(
            "no purposes", DER.sequence(DER.utf8("a"), DER.utf8("b"), purposes("p")),
            [Topic(name: "a"), Topic(name: "b", purposes: ["p"])], isMalformed: true),
        Case(
            "no purposes at the end", DER.sequence(DER.utf8("a"), purposes("p"), DER.utf8("b")),
            [Topic(name: "a", purposes: ["p"]), Topic(name: "b")], isMalformed: true),
        Case(
            "purposes of nothing", DER.sequence(purposes("p"), DER.utf8("a"), purposes("q")),
            [Topic(name: "a", purposes: ["q"])], isMalformed: true),
        Case(
            "purposes twice", DER.sequence(DER.utf8("a"), purposes("p"), purposes("q")),
            [Topic(name: "a", purposes: ["p"])], isMalformed: true),
        Case(
            "other elements",
            DER.sequence(DER.integer(1), DER.utf8("a"), DER.sequence(DER.null, DER.utf8("p")), DER.null),
            [Topic(name: "a", purposes: ["p"])], isMalformed: true),
        Case(
            "a pair", DER.sequence(DER.sequence(DER.utf8("a"), purposes("p"))), [], isMalformed: true),
        Case(
            "no UTF-8", DER.sequence(DER.element(0x0C, [0xFF]), purposes("p"), DER.utf8("a"), purposes("q")),
            [Topic(name: "a", purposes: ["q"])], isMalformed: true),
        Case("an empty name", DER.sequence(DER.utf8(""), purposes("p")), [], isMalformed: true),
        Case(
            "something behind it", DER.sequence(DER.utf8("a"), purposes("p")) + DER.null,
            [Topic(name: "a", purposes: ["p"])], isMalformed: true),
        Case("nothing in it", DER.sequence(), [], isMalformed: true), Case("no bytes", [], [], isMalformed: true),
        Case("NULL", DER.null, [], isMalformed: true),
        Case("a set", DER.set(DER.utf8("a"), purposes("p")), [], isMalformed: true),
        Case("cut off", [0x30, 0x20, 0x0C, 0x40, 0x61, 0x62], [], isMalformed: true),
        Case(
            "cut off inside", DER.sequence(DER.utf8("a"), purposes("p"), [0x0C, 0x05, 0x61]), [], isMalformed: true),
        Case(
            "a huge length", [0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0C], [], isMalformed: true),
        Case("no end", [0x30, 0x80, 0x0C, 0x01, 0x61], [], isMalformed: true),
        Case(
            "nested without end", Array(repeating: [0x30, 0x80], count: 100_000).flatMap { $0 }, [], isMalformed: true),
    ]

    @Test("6.3.6 is read as a flat list of topics and purposes", arguments: wellFormed + odd)
    func alternating(test: Case) {
        let list = TopicList.alternating(test.bytes)
        #expect(list.topics == test.topics)
        #expect(list.isMalformed == test.isMalformed)
    }

    @Test("6.3.4 may be the same list", arguments: wellFormed + odd)
    func voipList(test: Case) {
        let list = TopicList.voip(test.bytes)
        #expect(list.topics == test.topics)
        #expect(list.isMalformed == test.isMalformed)
    }

    @Test(
        "6.3.4 may be one text with commas",
        arguments: [
            ("com.a", ["com.a"]), ("com.a,com.a.voip", ["com.a", "com.a.voip"]),
            (" com.a , com.b,,", ["com.a", "com.b"]), ("Ä,ö", ["Ä", "ö"]),
        ])
    func voipText(text: String, names: [String]) {
        let list = TopicList.voip(DER.utf8(text))
        #expect(list.topics == names.map { Topic(name: $0) })
        #expect(!list.isMalformed)
    }

    @Test("a text without a topic is malformed", arguments: ["", ",", " , "])
    func emptyText(text: String) {
        let list = TopicList.voip(DER.utf8(text))
        #expect(list.topics.isEmpty && list.isMalformed)
    }

    @Test("a hundred thousand topics are read")
    func many() {
        let list = TopicList.alternating(
            DER.element(0x30, Array(repeating: [0x0C, 1, 0x61, 0x30, 3, 0x0C, 1, 0x62], count: 100_000).flatMap { $0 }))
        #expect(list.topics.count == 100_000 && !list.isMalformed)
    }
}
