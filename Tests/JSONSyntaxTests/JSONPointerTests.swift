import JSONSyntax
import Testing

struct JSONPointerTests {
    @Test("A pointer escapes what RFC 6901 demands")
    func escaping() {
        let pointer = JSONPointer().member("applinks").element(0).member("a/b~c").member("")
        #expect(JSONPointer().description.isEmpty)
        #expect(pointer.description == "/applinks/0/a~1b~0c/")
    }
}
