internal import HTTP1

/// Decides who may ask, from the head alone, before a body is read (docs/spec/console.md, section 2).
///
/// A page of any site can make a browser send requests to this machine: neither its name resolved to 127.0.0.1, nor a form,
/// nor a script may get an answer.
package enum RequestGuard {
    /// The longest body that is read, in bytes.
    package static let longestBody = 262_144

    package enum Verdict: Sendable {
        /// Answer this; what follows the head is not read.
        case refuse(ConsoleAnswer)
        /// Read so many bytes, then ask the responder.
        case readBody(Int)
        /// Ask the responder at once.
        case proceed
    }

    /// - Parameter isServer: Whether a server is shown, and not files.
    package static func check(_ request: ConsoleRequest, isServer: Bool) -> Verdict {
        let route = ConsoleRoute(path: request.path, isServer: isServer)
        let isAPI = request.path.hasPrefix("api/")
        func refuse(_ status: Status, _ code: APIError.Code, _ message: String) -> Verdict {
            .refuse(isAPI ? .error(status, code, message) : .text(status, message))
        }
        if let host = request.host, !LoopbackAuthority.matches(host) {
            return refuse(
                .misdirectedRequest, .misdirected,
                "only requests from this machine are allowed; use 127.0.0.1, [::1] or localhost")
        }
        if isFromOtherSite(request, mayBeFollowed: route.map { if case .page = $0 { true } else { false } } ?? false) {
            return refuse(.forbidden, .forbidden, refusalOfOtherSites)
        }
        guard let route else { return refuse(.notFound, .notFound, "not found") }
        guard route.allowedMethods.contains(request.method) else {
            let methods = route.allowedMethods
            let message = "method not allowed; use \(methods.joined(separator: " or "))"
            var answer: ConsoleAnswer =
                isAPI
                ? .error(.methodNotAllowed, .methodNotAllowed, message) : .text(.methodNotAllowed, message)
            answer.fields.append(("Allow", methods.joined(separator: ", ")))
            return .refuse(answer)
        }
        guard request.method == "POST" else { return .proceed }
        guard let type = request.contentType?.prefix(while: { $0 != ";" }),
            type.trimmed.lowercased() == "application/json"
        else {
            return refuse(
                .unsupportedMediaType, .unsupportedMediaType,
                "the body has to be JSON; set Content-Type: application/json")
        }
        guard !request.hasTransferEncoding, let text = request.contentLength else {
            return refuse(.lengthRequired, .lengthRequired, "the length of the body is unknown; set Content-Length")
        }
        // Its syntax was checked when the head was parsed; a number that is too long to be read is too large.
        guard let length = Int(text), length <= longestBody else {
            return refuse(.contentTooLarge, .tooLarge, "the body has more than 262,144 bytes")
        }
        return .readBody(length)
    }

    /// The text of an answer to a page of another site.
    package static let refusalOfOtherSites = "requests from other sites are not allowed"

    /// Whether a page of another site has had a browser send the request.
    ///
    /// - Parameter mayBeFollowed: Whether what is asked for is a page, which a person may get to by a link of that site.
    package static func isFromOtherSite(_ request: ConsoleRequest, mayBeFollowed: Bool) -> Bool {
        if let origin = request.origin, !isSame(origin, host: request.host) { return true }
        guard let site = request.fetchSite, site != "same-origin", site != "none" else { return false }
        return !mayBeFollowed || !isNavigation(request)
    }

    private static func isSame(_ origin: String, host: String?) -> Bool {
        guard let host else { return false }
        return origin.lowercased() == "http://\(host.lowercased())"
    }

    /// Whether a person has followed a link.
    private static func isNavigation(_ request: ConsoleRequest) -> Bool {
        guard request.method == "GET" || request.method == "HEAD" else { return false }
        return request.fetchMode == "navigate" && request.fetchDestination == "document"
    }
}

/// Tells names of this machine from others: `localhost`, an address in 127.0.0.0/8, or `[::1]`.
package enum LoopbackAuthority {
    /// - Parameter authority: A host, with or without a port.
    static func matches(_ authority: String) -> Bool {
        guard let host = host(of: authority) else { return false }
        return host == "[::1]" || host.lowercased() == "localhost" || isLoopbackAddress(host)
    }

    /// The host without its port; nil if what follows the colon is not a port.
    package static func host(of authority: String) -> Substring? {
        let start =
            authority.hasPrefix("[") ? authority.firstIndex(of: "]") ?? authority.endIndex : authority.startIndex
        guard let colon = authority[start...].firstIndex(of: ":") else { return authority[...] }
        let port = authority[authority.index(after: colon)...]
        return port.utf8.allSatisfy { (0x30...0x39).contains($0) } ? authority[..<colon] : nil
    }

    /// Four decimal numbers of one to three digits, the first of which is 127.
    private static func isLoopbackAddress(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && (Int(part) ?? 256) < 256
            }
    }
}

extension Substring {
    /// The text less the spaces and tabs at its ends.
    var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }
}
