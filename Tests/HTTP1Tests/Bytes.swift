import HTTP1

/// The bytes of a text whose characters are all below U+0100.
func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

/// The text of a slice.
func text(_ slice: RequestHead.Slice, of bytes: [UInt8]) -> String {
    String(decoding: bytes[slice.range], as: UTF8.self)
}

func parse(_ bytes: [UInt8]) -> RequestParser.Result { RequestParser.parse(bytes.span) }

func parse(_ text: String) -> RequestParser.Result { parse(bytes(text)) }

func parse(_ bytes: ArraySlice<UInt8>) -> RequestParser.Result { RequestParser.parse(bytes.span) }

/// The head of a text that is a request.
func requestHead(_ text: String) -> RequestHead? {
    if case .request(let head) = parse(text) { head } else { nil }
}

/// The text of a head: a request line, `Host` unless it is `nil`, and more fields.
func request(_ line: String = "GET / HTTP/1.1", host: String? = "a", _ fields: [String] = []) -> String {
    ([line] + (host.map { ["Host: \($0)"] } ?? []) + fields).map { $0 + "\r\n" }.joined() + "\r\n"
}

func request(_ fields: [String]) -> String { request("GET / HTTP/1.1", fields) }
