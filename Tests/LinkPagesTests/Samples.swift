import Diagnostics
import DomainNames
import Fuzzing
import LinkPages

/// The smallest bytes of each kind of image, by the names of their files.
let sampleImages: [String: [UInt8]] = [
    "icon.png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "photo.jpg": [0xFF, 0xD8, 0xFF, 0xE0],
    "photo.webp": Array("RIFF\u{4}\0\0\0WEBP".utf8), "text.png": Array("hello".utf8), "really.png": [0xFF, 0xD8, 0xFF],
    "large.png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 70_000),
]

/// Reads a file of links of `go.example.com`, or of another domain, with the sample images beside it.
func read(_ bytes: [UInt8], domain: String = "go.example.com") -> LinksDocument {
    LinksDocument.read(bytes, domain: Domain(domain)) { name, limit in
        switch name {
        case "link.png": .outside
        case "secret.png": .unreadable("permission denied")
        case "huge.png": .tooLarge
        default: sampleImages[name].map { .found($0, sha256: Array(0..<32)) } ?? .missing
        }
    }
}

func read(_ text: String, domain: String = "go.example.com") -> LinksDocument { read(Array(text.utf8), domain: domain) }

/// The table of a file without errors.
func table(_ text: String) throws -> LinksTable {
    let document = read(text)
    guard let content = document.content else { throw SampleError(document.diagnostics.map(\.message)) }
    return LinksTable(content)
}

/// Why a sample could not be made.
struct SampleError: Error {
    let reasons: [String]

    init(_ reasons: [String]) { self.reasons = reasons }
}

/// An answer in words: `page`, `302 https://…`, `image`, `not found` or `nothing`.
func answer(_ table: LinksTable, _ target: String, accept: String = "") -> String {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map { Array($0.utf8) }
    let bytes = LinkRequestBytes(
        path: parts[0], query: parts.count > 1 ? parts[1] : nil, accept: Array(accept.utf8))
    return bytes.lend { request in
        var output: [UInt8] = []
        switch table.answer(for: request, table.variant(of: request), into: &output) {
        case .page: return "page"
        case .redirect(let redirect):
            return "\(redirect.status.rawValue) \(String(decoding: output[redirect.location], as: UTF8.self))"
        case .image: return "image"
        case .notFound: return "not found"
        case .nothing: return "nothing"
        }
    }
}

/// The page that answers a request; nil if something else does.
func page(
    _ table: LinksTable, _ target: String, accept: String = "", language: String = "", userAgent: String = ""
) -> PageSubject? {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map { Array($0.utf8) }
    let bytes = LinkRequestBytes(
        path: parts[0], query: parts.count > 1 ? parts[1] : nil, accept: Array(accept.utf8),
        acceptLanguage: Array(language.utf8), userAgent: Array(userAgent.utf8))
    return bytes.lend { request in
        var output: [UInt8] = []
        let answer = table.answer(for: request, table.variant(of: request), into: &output)
        return if case .page(let subject) = answer { subject } else { nil }
    }
}

func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
