internal import BoundedText
internal import Diagnostics

/// The names of files and nodes in a store: which there can be, and how they are written.
package enum StoreNames {
    /// Whether a file can be served below `/.well-known/` under this name, by the rules of `wellKnown`: at most 255 characters
    /// that a path has as they are, no dot at the beginning, and not the name of an editor's backup.
    package static func isFileName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix(".swp")
            && name.utf8.allSatisfy(isPlainInPath)
    }

    private static func isPlainInPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    /// The name of a file, if it can be one.
    package static func fileName(_ text: String) throws(StoreNameError) -> String {
        if isFileName(text) { return text }
        throw StoreNameError(
            "\(quoted(text)) is not the name of a file that can be served; expected one like 'assetlinks.json'",
            help:
                "use letters, digits and '-._~!$&'()*+,;=:@', no dot at the beginning, and no '~' or '.swp' at the end")
    }

    /// Whether a node can have this name: 1 to 64 characters of `A–Z a–z 0–9 . _ -`.
    package static func isNodeName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { isInNodeName($0) }
    }

    /// The name of a node that was not given one: the name of its machine, as far as it can be used, `-`, and the digits
    /// that it keeps in its cache.
    package static func nodeName(host: String, id: String) -> String {
        let usable = host.utf8.map { isInNodeName($0) ? $0 : UInt8(ascii: "-") }
        return String(text: usable.prefix(63 - id.utf8.count)) + "-\(id)"
    }

    private static func isInNodeName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// A name that cannot be one in a store.
package struct StoreNameError: Error, Equatable, Sendable, CustomStringConvertible {
    package let message: String
    package let help: String?

    init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    package var description: String { help.map { "\(message); help: \($0)" } ?? message }
}
