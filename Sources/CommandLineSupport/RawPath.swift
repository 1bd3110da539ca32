/// A path as the system knows it: bytes, which need not be UTF-8.
public struct RawPath: Hashable, Sendable {
    /// Without the NUL at the end.
    public let bytes: [UInt8]

    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The path that an argument names.
    ///
    /// What is no UTF-8 in an argument has been repaired on its way into a `String`, so that no file is found by it; here the
    /// original is looked for.
    public init(argument: String) {
        var original: [UInt8]?
        if argument.unicodeScalars.contains("\u{FFFD}") {
            for place in 0..<Int(CommandLine.argc) {
                guard original == nil, let words = CommandLine.unsafeArgv[place] else { continue }
                if String(cString: words) == argument { original = Self.bytes(of: words) }
            }
        }
        bytes = original ?? Array(argument.utf8)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The path in a report: what is no UTF-8 is repaired.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let terminated = bytes.map(CChar.init(bitPattern:)) + [0]
        return terminated.withUnsafeBufferPointer { buffer in
            // An array that is not empty has an address.
            buffer.baseAddress.map(body) ?? "".withCString(body)
        }
    }

    static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = text
        while place.pointee != 0 {
            bytes.append(UInt8(bitPattern: place.pointee))
            place += 1
        }
        return bytes
    }
}
