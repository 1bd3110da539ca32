internal import BoundedText
internal import Diagnostics
internal import DomainNames
internal import HTTPClient
internal import OpenSSL
internal import SystemSupport

// The parts of an answer that are read. Received text is escaped where it is shown, not here.
extension ResponseHead {
    /// The first value of a field; bytes that are not UTF-8 are replaced.
    func text(_ name: String) -> String? { self[name].map { String(text: $0) } }

    /// The same, as far as it is shown: 300 bytes.
    func shown(_ name: String) -> String? { text(name)?.cut(to: 300) }

    /// The status line without the space at its end, which is left where there is no reason.
    var shownStatusLine: String {
        var line = statusLine[...]
        while line.last == UInt8(ascii: " ") { line.removeLast() }
        return String(text: line).cut(to: 300)
    }
}

extension String {
    /// Its first bytes, without a half character at the end, with `…` where something is missing.
    func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            if count > limit { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }
}

extension Response {
    /// The type of the body in lower case, without parameters; nil if there is none.
    var mediaType: String? {
        guard let text = head.text("Content-Type") else { return nil }
        let type = text.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.bounded
        return type.isEmpty ? nil : type.lowercased()
    }

    /// The status and its name as the server sent it, like `404 Not Found`.
    var statusText: String {
        let parts = head.shownStatusLine.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].hasPrefix("HTTP/") ? String(parts[1]) : "\(status)"
    }

    /// The size of the body, as far as it was received.
    var size: String {
        isTruncated ? "more than \(counted(body.count - 1, "byte"))" : counted(body.count, "byte")
    }

    /// The first line, and those of the fields that are there.
    func shownHead(_ names: [String]) -> [String] {
        [head.shownStatusLine] + names.compactMap { name in head.shown(name).map { "\(name.lowercased()): \($0)" } }
    }
}

extension Result<Response, Failure> {
    /// To which the request went.
    var address: IPAddress {
        switch self {
        case .success(let response): response.address
        case .failure(let failure): failure.address
        }
    }
}

extension [UInt8] {
    /// The SHA-256 in lower-case hexadecimal digits.
    var sha256: String { Hexadecimal.text(SHA256Digest.hash(self)) }
}
