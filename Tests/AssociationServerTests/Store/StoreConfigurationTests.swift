import ACME
import AssociationServer
import Diagnostics
import Testing

/// The keys of a store (store.md, section 1).
@Suite("The store in server.json")
struct StoreConfigurationTests {
    private static let store = #""store": "postgresql://aasa:geheim@db/links""#

    private func read(_ text: String) throws -> ServerConfiguration {
        try ConfigurationReader.read(Array(text.utf8), path: "Config/server.json")
    }

    @Test("its keys are read, and paths begin at the folder of the file")
    func keys() throws {
        let store = try read(
            """
            {\(Self.store), "storeCache": "cache", "storeKeyFile": "/etc/store.keys", "storePoll": 2.5, "storeNode": "a-1"}
            """
        ).store
        #expect(store.address == "postgresql://aasa:geheim@db/links" && store.isOn)
        #expect(store.cache == "Config/cache" && store.keyFile == "/etc/store.keys")
        #expect(store.poll == 2.5 && store.node == "a-1")
        #expect(try read("{}").store.poll == 30)
        #expect(try !read(#"{"store": null}"#).store.isOn)
    }

    @Test(
        "values out of range are refused",
        arguments: [
            (#""storePoll": 0.5"#, "'storePoll' is not a number of seconds from 1 to 3600"),
            (#""storePoll": "5""#, "'storePoll' is not a number of seconds from 1 to 3600"),
            (#""storeNode": "a b""#, "'storeNode' is 'a b'; expected 1 to 64"), (#""store": """#, "'store' is empty"),
            (#""storeCache": """#, "'storeCache' is ''; expected the path of a folder"),
        ])
    func ranges(text: String, message: String) {
        let error = #expect(throws: ServerError.self) { try read("{\(text)}") }
        #expect(error?.description.contains(message) == true)
    }

    @Test(
        "settings that exclude or need each other are named with their places",
        arguments: [
            (
                #"{\#(store), "storeCache": "c", "sites": "s"}"#,
                "'store' (Config/server.json:1:11) and 'sites' (Config/"
            ),
            ("{\(store)}", "'store' (Config/server.json:1:11) is set without 'storeCache'"),
            (#"{"storeCache": "c"}"#, "'storeCache' (Config/server.json:1:16) is set without 'store'"),
            (#"{"storeNode": "c"}"#, "'storeNode' (Config/server.json:1:15) is set without 'store'"),
            (
                #"{\#(store), "storeCache": "c", "acme": {"agreeToTerms": true}}"#,
                "and 'acme' (Config/server.json:1:75) are set without 'storeKeyFile'"
            ),
            (
                #"{\#(store), "storeCache": "c", "storeKeyFile": "k", "acme": {"agreeToTerms": true, "folder": "f"}}"#,
                "and 'folder' in 'acme' (Config/server.json:1:96) exclude each other"
            ),
        ])
    func conflicts(text: String, message: String) throws {
        let error = try #require(try read(text).storeConflict)
        #expect(error.code == .configuration)
        #expect(error.description.contains(message), "\(error)")
        #expect(!error.description.contains("geheim"))
    }

    @Test("where an option has a part in it, the usage is wrong")
    func options() throws {
        var configuration = try read(#"{"sites": "s"}"#)
        #expect(configuration.storeConflict == nil)
        configuration.store.address = "postgresql://db/links"
        configuration.store.cache = "c"
        configuration.store.origins["store"] = .option("--store")
        let error = try #require(configuration.storeConflict)
        #expect(error.code == .usage)
        #expect(error.description.contains("'--store' and 'sites' (Config/server.json:1:11) exclude each other"))
        configuration.store.origins["sites"] = nil
        #expect(configuration.storeConflict == nil)
        configuration.acme.agreesToTerms = true
        #expect(configuration.storeConflict?.description.contains("without 'storeKeyFile'") == true)
        configuration.store.keyFile = "store.keys"
        #expect(configuration.storeConflict == nil)
    }

    @Test("a password in the address is in no finding about its line")
    func password() {
        let error = #expect(throws: ServerError.self) { try read("{\(Self.store), \"threads\": 0}") }
        let text = error?.messages.joined(separator: "\n") ?? ""
        #expect(text.contains("'threads' is 0") && text.contains("****") && !text.contains("geheim"))
    }
}
