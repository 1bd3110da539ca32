import SystemSupport
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "bytes and texts are those of RFC 4648, section 10, for both alphabets",
        arguments: [
            ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
            ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
            ("??>", "Pz8+", "Pz8-"), ("???", "Pz8/", "Pz8_"),
        ])
    func vectors(plain: String, standard: String, url: String) {
        #expect(Base64.standard.text(plain.utf8) == standard)
        #expect(Base64.standard.bytes(standard) == Array(plain.utf8))
        #expect(Base64.url.text(plain.utf8) == url)
        #expect(Base64.url.bytes(url) == Array(plain.utf8))
    }

    @Test(
        "another text is none: digits of the other alphabet, white space, and padding that is missing or too much",
        arguments: ["a", "Zg", "Zg=", "====", "Zg==Zg==", "Zm 9v", "Pz8-", "Zm9v\n"])
    func none(text: String) { #expect(Base64.standard.bytes(text) == nil) }

    @Test("the bits after the last byte are returned")
    func leftOver() {
        var bytes: [UInt8] = []
        #expect(Base64.url.decode(Array("Zh".utf8)) { bytes.append($0) } == 1)
        #expect(bytes == [0x66])
    }
}
