import OpenSSL
import Testing

@Suite("A library context")
struct LibraryContextTests {
    @Test("it knows today's algorithms and the old ones, by name and by object identifier")
    func algorithms() throws {
        let context = try LibraryContext()
        for cipher in ["AES-256-CBC", "2.16.840.1.101.3.4.1.42", "DES-EDE3-CBC", "RC2-40-CBC"] {
            #expect(SymmetricCipher.sizes(cipher, in: context) != nil)
        }
        #expect(context.digestSize("SHA256") == 32)
        #expect(context.digestSize("1.3.14.3.2.26") == 20)
        #expect(context.hasLegacyProvider)
        #expect(context.hasDigest("MD4"))
        for name in ["", "nothing", "1.2.3.4", "?property=1", "AES-256-CBC:RC4"] {
            #expect(SymmetricCipher.sizes(name, in: context) == nil)
            #expect(!context.hasDigest(name))
        }
    }

    @Test("object identifiers have names")
    func names() {
        #expect(LibraryContext.name(of: "2.16.840.1.101.3.4.1.42") == "aes-256-cbc")
        #expect(LibraryContext.name(of: "1.2.3.4.5") == nil)
        #expect(LibraryContext.name(of: "aes-256-cbc") == nil)
        #expect(LibraryContext.version.hasPrefix("OpenSSL 3"))
    }
}
