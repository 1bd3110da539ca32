internal import BoundedText
internal import HTTP1

/// A request to the CA, ready to be sent.
package struct ACMERequest: Equatable, Sendable {
    package enum Method: Equatable, Sendable {
        case get, head
        case post([UInt8])
    }

    /// The number by which the answer is handed back; none occurs twice in one machine.
    package let id: Int
    package let method: Method
    package let url: SecureURL
    /// The media type of a body.
    package static let contentType = "application/jose+json"
    package let accept: String
    /// More bytes of a body than this are a failure: ``TransportFailure/tooLarge(limit:)``.
    package let limit: Int

    init(id: Int, _ method: Method, _ url: SecureURL, isChain: Bool = false) {
        (self.id, self.method, self.url) = (id, method, url)
        accept = isChain ? "application/pem-certificate-chain" : "application/json, application/problem+json"
        limit = isChain ? IssuedChain.maximumBytes : ACMEResponse.jsonLimit
    }
}

/// An answer of the CA, whatever its status. A redirect is one, too: none is followed.
package struct ACMEResponse: Equatable, Sendable {
    /// The most bytes of a JSON text.
    package static let jsonLimit = 65_536

    package let status: Int
    package let body: [UInt8]
    package private(set) var location: String?
    package private(set) var nonce: String?
    package private(set) var retryAfter: String?
    /// The time of the answer, by the CA's clock.
    package private(set) var date: String?
    /// The values of the fields `Link`.
    package private(set) var links: [String] = []

    /// - Parameter fields: the header; names have no case.
    package init(status: Int, fields: [(name: String, value: String)], body: [UInt8] = []) {
        self.status = status
        self.body = body
        for (name, value) in fields {
            switch name.lowercased() {
            case "location": location = location ?? value
            case "replay-nonce": nonce = nonce ?? value
            case "date": date = date ?? value
            case "retry-after": retryAfter = retryAfter ?? value
            case "link": links.append(value)
            default: continue
            }
        }
    }

    var isSuccess: Bool { 200..<300 ~= status }

    /// The URL of `Location`, if it is one that a CA may send.
    var locationURL: SecureURL? { location.flatMap { SecureURL($0) } }

    /// Seconds, as ``RetryAfter`` reads them.
    func retryAfterSeconds(now: Int64) -> Int64? { retryAfter.flatMap { RetryAfter.seconds($0, now: now) } }

    /// The URLs of the links with a relation type (RFC 8288), in their order; others than https URLs are left out.
    package func links(relation: String) -> [SecureURL] {
        links.prefix(32).flatMap(LinkField.elements).filter { $0.relations.contains(relation) }
            .compactMap { SecureURL($0.target) }
    }
}

/// Why there is no answer.
package enum TransportFailure: Error, Equatable, Sendable {
    /// No connection, no TLS, no answer in time, or half of one; with a clause that says so and names a proxy, if there
    /// is one.
    case unreachable(String)
    /// The body is larger than the request allows.
    case tooLarge(limit: Int)
}

/// The field `Link` (RFC 8288, section 3).
enum LinkField {
    struct Element: Equatable {
        var target: String
        var relations: [String]
    }

    /// All elements that can be read; what comes after one that cannot is left out.
    static func elements(_ field: String) -> [Element] {
        var rest = Array(field.utf8.prefix(16_384))[...]
        var elements: [Element] = []
        while let element = next(&rest) { elements.append(element) }
        return elements
    }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> Element? {
        rest = rest.drop { $0 == UInt8(ascii: ",") || isSpace($0) }
        guard rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        var element = Element(target: text(rest[(rest.startIndex + 1)..<end]), relations: [])
        rest = rest[(end + 1)...]
        while true {
            rest = rest.drop(while: isSpace)
            guard rest.first == UInt8(ascii: ";") else { break }
            rest = rest.dropFirst().drop(while: isSpace)
            let (name, value) = parameter(&rest)
            if name.lowercased() == "rel", element.relations.isEmpty {
                element.relations = value.split(separator: " ").map { $0.lowercased() }
            }
        }
        return element
    }

    private static func parameter(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: String) {
        let name = rest.prefix { !isSpace($0) && !"=;,".utf8.contains($0) }
        rest = rest[name.endIndex...].drop(while: isSpace)
        guard rest.first == UInt8(ascii: "=") else { return (text(name), "") }
        rest = rest.dropFirst().drop(while: isSpace)
        guard rest.first == UInt8(ascii: "\"") else {
            let value = rest.prefix { !isSpace($0) && !";,".utf8.contains($0) }
            rest = rest[value.endIndex...]
            return (text(name), text(value))
        }
        var value: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return (text(name), text(value[...]))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(text: bytes) }
}

/// The field that says when to come back (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The longest that is believed; what is longer is this.
    package static let longest: Int64 = 7 * 86_400

    /// Seconds from now; nil for a time in the past, and for what is neither a number of seconds nor an HTTP date.
    ///
    /// - Parameter now: seconds since 1970.
    package static func seconds(_ field: String, now: Int64) -> Int64? {
        let bytes = Array(field.utf8.prefix(64))
        guard !bytes.isEmpty, bytes.count < 64 else { return nil }
        if bytes.allSatisfy({ 0x30...0x39 ~= $0 }) {
            // More digits than a number can have are a long time.
            return min(Int64(field) ?? longest, longest)
        }
        guard let date = HTTPDate.parse(bytes.span, in: bytes.indices, now: now) else { return nil }
        let (seconds, hasOverflow) = date.subtractingReportingOverflow(now)
        guard !hasOverflow, seconds >= 0 else { return nil }
        return min(seconds, longest)
    }
}
