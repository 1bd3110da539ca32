import PushSamples
import TestSupport

/// A client of ACME that does as it is told, also what a good one does not.
final class AuthorityClient {
    /// The message that is sent, for a test to change.
    struct Message {
        var url: String
        var header: [String: String]
        /// In place of an account.
        var jwk: String?
        var payload: String
        var signature: [UInt8]?
        var fields = ["Content-Type": "application/jose+json"]
        var method = "POST"
        var body: String?
    }

    let base: String
    let directory: [String: String]
    let key: SampleKey
    var account: String?
    var nonce: String?
    var userAgent = "aasa/1.0.0 test"
    private let port: Int
    private let http: HTTPSClient

    init(_ authority: StubAuthority, key: SampleKey = .p256(801)) throws {
        (port, self.key) = (authority.port, key)
        base = "https://localhost:\(port)"
        http = try HTTPSClient(port: port)
        try http.handshake()
        let answer = try http.get(
            String(authority.directory.dropFirst(base.count)), host: "localhost:\(port)",
            fields: "User-Agent: \(userAgent)\r\n")
        self.directory = answer.members.compactMapValues { $0 as? String }
        let nonce = try get(self.directory["newNonce"] ?? "", method: "HEAD")
        self.nonce = nonce["Replay-Nonce"]
    }

    /// The public key as JSON.
    func jwkText() throws -> String {
        let point = Array(try key.publicKeyInfo().suffix(64))
        let (x, y) = (
            StubAuthorityBase64URL.text(Array(point[..<32])), StubAuthorityBase64URL.text(Array(point[32...]))
        )
        return #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    }

    @discardableResult
    func get(_ url: String, method: String = "GET") throws -> HTTPAnswer {
        http.send(
            """
            \(method) \(url.dropFirst(base.count)) HTTP/1.1\r
            Host: localhost:\(port)\r
            User-Agent: \(userAgent)\r
            \r

            """)
        return try http.answer(isHead: method == "HEAD")
    }

    /// Posts without waiting for the answer.
    func send(_ url: String, _ payload: String = "", _ change: (inout Message) throws -> Void = { _ in }) throws {
        var message = Message(
            url: url, header: ["alg": "ES256", "nonce": nonce ?? "", "url": url], payload: payload)
        if url == directory["newAccount"] { message.jwk = try jwkText() } else { message.header["kid"] = account }
        try change(&message)
        var members = message.header.sorted { $0.key < $1.key }.map { "\"\($0)\":\"\($1)\"" }
        if let jwk = message.jwk { members.append("\"jwk\":\(jwk)") }
        let header = StubAuthorityBase64URL.text(Array("{\(members.joined(separator: ","))}".utf8))
        let content = StubAuthorityBase64URL.text(Array(message.payload.utf8))
        let signature = try message.signature ?? Self.raw(key.signature(of: Array("\(header).\(content)".utf8)))
        let body =
            message.body
                ?? """
                {"protected":"\(header)","payload":"\(content)","signature":"\(StubAuthorityBase64URL.text(signature))"}
                """
        let fields = message.fields.map { "\($0): \($1)\r\n" }.joined()
        http.send(
            """
            \(message.method) \(url.dropFirst(base.count)) HTTP/1.1\r
            Host: localhost:\(port)\r
            User-Agent: \(userAgent)\r
            \(fields)Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """)
    }

    func receive() throws -> HTTPAnswer {
        let answer = try http.answer()
        if let nonce = answer["Replay-Nonce"] { self.nonce = nonce }
        return answer
    }

    /// Posts, once more after each `badNonce`.
    @discardableResult
    func post(
        _ url: String, _ payload: String = "", _ change: (inout Message) throws -> Void = { _ in }
    ) throws -> HTTPAnswer {
        for _ in 1...50 {
            try send(url, payload, change)
            let answer = try receive()
            if answer.problem != "badNonce" { return answer }
        }
        throw TestFailure("fifty nonces were refused")
    }

    /// The numbers of a signature in DER, 32 bytes each.
    static func raw(_ der: [UInt8]) -> [UInt8] {
        let numbers = DER.elements(of: DER.content(of: der) ?? []).compactMap(DER.content)
        return numbers.flatMap { number in
            let digits = Array(number.drop { $0 == 0 })
            return [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
        }
    }

    @discardableResult
    func register(_ payload: String = #"{"termsOfServiceAgreed":true,"contact":["mailto:ops@example.com"]}"#) throws
        -> HTTPAnswer
    {
        let answer = try post(directory["newAccount"] ?? "", payload)
        account = answer["Location"]
        return answer
    }

    /// - Parameter more: further members, each with a comma before it.
    func newOrder(_ domain: String, more: String = "") throws -> HTTPAnswer {
        try post(directory["newOrder"] ?? "", #"{"identifiers":[{"type":"dns","value":"\#(domain)"}]\#(more)}"#)
    }
}
