/// The way from the root of a JSON text to a value (RFC 6901).
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The pointer as text; empty for the root.
    package private(set) var description = ""

    package init() {}

    /// The pointer to a member of the object at this one.
    package func member(_ name: String) -> JSONPointer {
        var result = self
        result.description += "/"
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
            result.description += name
            return result
        }
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": result.description += "~0"
            case "/": result.description += "~1"
            default: result.description.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The pointer to an element of the array at this one, counted from 0.
    package func element(_ index: Int) -> JSONPointer {
        var result = self
        result.description += "/\(index)"
        return result
    }
}
