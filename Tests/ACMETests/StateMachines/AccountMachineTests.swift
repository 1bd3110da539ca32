import ACME
import Diagnostics
import Foundation
import OpenSSL
import TestSupport
import Testing

/// A machine of an account, and the test in place of everything around it.
private struct AccountRun {
    var machine: AccountMachine
    var nonces = NoncePool()
    var now = Moment(wall: Samples.now, uptime: .seconds(50))
    var last: [AccountMachine.Action] = []

    init(
        contact: [String] = ["ops@example.com"], externalAccount: ACMEConfiguration.ExternalAccount? = nil,
        profile: String? = nil, stored: ACMEAccount? = nil, directory: Directory? = nil
    ) throws {
        var settings = Samples.settings(contact: contact)
        (settings.configuration.externalAccount, settings.configuration.profile) = (externalAccount, profile)
        machine = AccountMachine(
            settings: settings, key: try Samples.accountKey(), stored: stored, directory: directory)
        handle(.start)
    }

    mutating func handle(_ event: AccountMachine.Event) { last = machine.handle(event, at: now, nonces: &nonces) }

    func request() throws -> ACMERequest {
        for case .send(let request) in last { return request }
        throw TestFailure("nothing was sent, but: \(last)")
    }

    func message() throws -> SentMessage { try SentMessage(request()) }

    var path: String? { try? String(request().url.description.dropFirst(Samples.base.utf8.count)) }

    mutating func answer(_ status: Int = 200, _ body: String, _ fields: [String: String] = [:]) throws {
        handle(.response(.json(status, body, fields), to: try request().id))
    }

    mutating func letPauseEnd() throws {
        for case .wait(let end) in last {
            now.uptime = end
            return handle(.time)
        }
        throw TestFailure("there is no pause, but: \(last)")
    }

    var error: IssuanceError? {
        for case .fail(let error) in last { return error }
        return nil
    }

    var account: ACMEAccount? {
        for case .ready(_, let account) in last { return account }
        return nil
    }
}

@Suite("Accounts")
struct AccountMachineTests {
    private static let location = ["Location": Samples.base + "/account/9"]
    private static let valid = #"{"status":"valid","contact":["mailto:ops@example.com"]}"#

    @Test("a new key is registered with the contact, and with the agreement to the terms")
    func registration() throws {
        var run = try AccountRun()
        #expect(run.path == "/directory")
        #expect(try run.request().method == .get)
        try run.answer(200, Samples.directoryText())
        // The directory has brought a nonce.
        let message = try run.message()
        #expect(run.path == "/account" && message.account == nil && message.nonce == "nonce")
        let jwk = try #require(message.header["jwk"] as? [String: String])
        #expect(try jwk == Samples.accountKey().jwk.members)
        #expect(message.payload == #"{"contact":["mailto:ops@example.com"],"termsOfServiceAgreed":true}"#)
        try run.answer(201, Self.valid, Self.location)
        let account = try #require(run.account)
        #expect(account.url.description == Samples.base + "/account/9" && account.contact == ["ops@example.com"])
        #expect(account.termsOfService == "https://ca.example.net/terms" && run.machine.hasEnded)
    }

    @Test("an account that is stored is used without a request, and its directory is fetched only if need be")
    func stored() throws {
        var run = try AccountRun(contact: ["mailto:ops@example.com"], stored: Samples.account)
        try run.answer(200, Samples.directoryText())
        #expect(run.account?.url == Samples.account.url)
        #expect(try AccountRun(stored: Samples.account, directory: Samples.directory()).account != nil)
    }

    @Test("a contact that has changed is sent to the account")
    func update() throws {
        var run = try AccountRun(contact: ["new@example.com"], stored: Samples.account, directory: Samples.directory())
        try run.answer(200, "")
        #expect(run.path == "/account/7")
        let message = try run.message()
        #expect(message.account == Samples.account.url.description)
        #expect(message.payload == #"{"contact":["mailto:new@example.com"]}"#)
        var gone = run
        try run.answer(200, #"{"status":"valid"}"#)
        #expect(run.account?.contact == ["new@example.com"])
        // A CA with an empty database: the same key again.
        try gone.answer(400, Samples.problem("accountDoesNotExist"))
        #expect(gone.path == "/account")
        try gone.answer(201, #"{"status":"valid"}"#, Self.location)
        #expect(gone.account?.url.description == Samples.base + "/account/9")
    }

    @Test("an account that the key has already gets its contact if that is another one")
    func lookup() throws {
        var run = try AccountRun(directory: Samples.directory())
        try run.answer(200, "")
        var same = run
        try same.answer(200, Self.valid, Self.location)
        #expect(same.account != nil)
        try run.answer(200, #"{"status":"valid"}"#, Self.location)
        #expect(run.path == "/account/9")
    }

    @Test("an external account is bound by its key")
    func externalAccount() throws {
        let secret = try #require(
            StubAuthorityBase64URL.bytes("zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W"))
        let binding = ACMEConfiguration.ExternalAccount(
            keyIdentifier: "kid-1", hmacKeyFile: "eab.key", hmacKey: SecretBytes(secret))
        var run = try AccountRun(
            externalAccount: binding, directory: Samples.directory(#"{"externalAccountRequired":true}"#))
        try run.answer(200, "")
        let object = try #require(try run.message().object["externalAccountBinding"] as? [String: String])
        let header = StubAuthorityBase64URL.bytes(try #require(object["protected"])) ?? []
        #expect(
            String(decoding: header, as: UTF8.self)
                == #"{"alg":"HS256","kid":"kid-1","url":"\#(Samples.base)/account"}"#)
        let payload = String(decoding: StubAuthorityBase64URL.bytes(object["payload"] ?? "") ?? [], as: UTF8.self)
        #expect(try payload == Samples.accountKey().jwk.json.text)
        let signed = Array("\(object["protected"] ?? "").\(object["payload"] ?? "")".utf8)
        let code = MessageAuthentication.hmac(
            signed, key: SecretBytes(secret), digest: "SHA256", in: try LibraryContext())
        #expect(object["signature"] == code.map(Base64URL.text))
    }

    @Test("a CA that wants an external account gets no request without one")
    func externalAccountRequired() throws {
        let run = try AccountRun(directory: Samples.directory(#"{"externalAccountRequired":true}"#))
        #expect(run.error?.type == .acmeAccount && run.error?.scope == .authority)
        #expect(run.error?.message.contains("acme.eab") == true)
    }

    @Test("a profile that the CA does not have is an error that names those that it has")
    func profile() throws {
        let meta = #"{"profiles":{"tlsserver":"x","classic":"y"}}"#
        #expect(
            try AccountRun(profile: "classic", stored: Samples.account, directory: Samples.directory(meta)).account
                != nil)
        let error = try AccountRun(profile: "short", stored: Samples.account, directory: Samples.directory(meta)).error
        #expect(error?.type == .acmeProfile)
        #expect(error?.message == "the CA has no certificate profile 'short'; it has 'classic', 'tlsserver'")
        #expect(try AccountRun(profile: "short", directory: Samples.directory()).error?.type == .acmeProfile)
    }

    @Test(
        "what only somebody can change is an error of the account",
        arguments: [
            "externalAccountRequired", "userActionRequired", "invalidContact", "unsupportedContact", "unauthorized",
        ])
    func refused(type: String) throws {
        var run = try AccountRun(directory: Samples.directory())
        try run.answer(200, "")
        try run.answer(403, Samples.problem(type, "no"))
        #expect(run.error?.type == .acmeAccount && run.error?.message.hasSuffix("\(type): no") == true)
    }

    @Test("other errors keep their type, with the time that the CA wants to be left alone")
    func limited() throws {
        var run = try AccountRun(directory: Samples.directory())
        try run.answer(200, "")
        try run.answer(429, Samples.problem("rateLimited"), ["Retry-After": "120"])
        #expect(run.error?.type == .rateLimited && run.error?.retryAfter == 120 && run.error?.scope == .authority)
    }

    @Test("an account that is not valid is not used", arguments: ["deactivated", "revoked"])
    func deactivated(status: String) throws {
        var run = try AccountRun(directory: Samples.directory())
        try run.answer(200, "")
        try run.answer(200, #"{"status":"\#(status)"}"#, Self.location)
        #expect(run.error?.type == .acmeAccount)
    }

    @Test("a directory without an answer is asked for again after 1, 2 and 4 seconds, and then it is a failure for all")
    func unreachable() throws {
        var run = try AccountRun()
        for seconds in [1, 2, 4] {
            let before = run.now.uptime
            run.handle(.transportFailure(.unreachable("no route"), of: try run.request().id))
            try run.letPauseEnd()
            #expect(run.now.uptime - before == .seconds(seconds))
        }
        try run.answer(503, "", ["Retry-After": "60"])
        #expect(run.error?.type == .unavailable && run.error?.retryAfter == 60 && run.error?.scope == .authority)
    }

    @Test("events in other states have no consequences")
    func otherEvents() throws {
        var run = try AccountRun()
        let events: [AccountMachine.Event] = [
            .start, .time, .response(.json(200, "{}"), to: 77), .transportFailure(.unreachable("x"), of: 77),
        ]
        for event in events {
            var copy = run
            copy.handle(event)
            #expect(copy.last.isEmpty)
        }
        try run.answer(200, "{}")
        #expect(run.error?.message == "the directory has no 'newNonce'")
        for event in events + [.response(.json(200, Samples.directoryText()), to: 0)] {
            run.handle(event)
            #expect(run.last.isEmpty)
        }
    }

    @Test("account.json is what was written, for its directory only")
    func file() throws {
        let text = Samples.account.json
        #expect(try ACMEAccount(json: Array(text.utf8), directory: Samples.directoryURL) == Samples.account)
        for text in [text.replacing("/directory", with: "/other"), "{}", "x", text.replacing(":1", with: ":2")] {
            let error = #expect(throws: IssuanceError.self) {
                try ACMEAccount(json: Array(text.utf8), directory: Samples.directoryURL)
            }
            #expect(error?.type == .acmeAccount)
        }
    }
}
