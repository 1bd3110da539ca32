internal import Diagnostics

/// What association files are called, and what people call them.
package enum AssociationFileName {
    /// The name that Apple's systems ask for.
    package static let name = "apple-app-site-association"

    /// Whether a name is hardly meant for something else: mistyped, in another case, with an ending, or a copy.
    package static func isNearMiss(_ name: String) -> Bool {
        guard name != Self.name, name.utf8.count <= 64 else { return false }
        var stem = name.lowercased().prefix { $0 != "." && $0 != "(" }
        while stem.last == " " { stem = stem.dropLast() }
        if stem.hasSuffix(" copy") || stem.hasSuffix("-copy") { stem = stem.dropLast(5) }
        let plain = String(stem.map { $0 == "_" || $0 == " " ? "-" : $0 })
        return Spelling.distance(plain, Self.name) <= 3
    }
}
