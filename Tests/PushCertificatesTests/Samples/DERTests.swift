import PushSamples
import Testing

@Suite struct DERTests {
    @Test(
        "numbers take as few octets as they can",
        arguments: [
            (0, [0]), (127, [127]), (128, [0, 128]), (-1, [255]), (-128, [128]), (-129, [255, 127]),
            (65_536, [1, 0, 0]),
            (2_147_483_647, [127, 255, 255, 255]), (Int64.max, [127] + [UInt8](repeating: 255, count: 7)),
            (Int64.min, [128] + [UInt8](repeating: 0, count: 7)),
        ] as [(Int64, [UInt8])])
    func numbers(_ number: Int64, _ octets: [UInt8]) {
        #expect(DER.integer(number) == DER.element(0x02, octets))
    }

    @Test(
        "lengths take as few octets as they can",
        arguments: [(0, 1), (127, 1), (128, 2), (255, 2), (256, 3), (65_536, 4)])
    func lengths(_ count: Int, _ octets: Int) {
        #expect(DER.length(count).count == octets)
        let element = DER.element(0x04, [UInt8](repeating: 7, count: count))
        #expect(DER.content(of: element)?.count == count)
        #expect(DER.elements(of: element + element) == [element, element])
    }

    @Test("object identifiers")
    func identifiers() {
        #expect(DER.oid("1.2.840.113635.100.6.3.6") == [6, 10, 42, 134, 72, 134, 247, 99, 100, 6, 3, 6])
        #expect(DER.oid("2.5.29.19") == [6, 3, 85, 29, 19])
        #expect(DER.oid("2.999.1") == [6, 3, 136, 55, 1])
    }
}
