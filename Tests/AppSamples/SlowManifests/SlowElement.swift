/// An element of a random manifest: plain text, which the slow matcher reads, and which is written as XML for the real one.
package struct SlowElement: Sendable {
    package var name: String
    /// The values as a build leaves them, by their names; the name of an attribute of Android has the prefix `android:`.
    package var attributes: [(name: String, value: String)]
    package var children: [SlowElement]

    package init(_ name: String, _ attributes: [(String, String)] = [], _ children: [SlowElement] = []) {
        self.name = name
        self.attributes = attributes.map { (name: $0.0, value: $0.1) }
        self.children = children
    }

    /// The value of an attribute of Android.
    package func value(_ name: String) -> String? { attributes.first { $0.name == "android:" + name }?.value }

    /// The children with a name that the manifest merger leaves.
    package func all(_ name: String) -> [SlowElement] { children.filter { $0.name == name && !$0.isRemoved } }

    package var isRemoved: Bool { attributes.contains { $0.name == "tools:node" && $0.value == "remove" } }

    /// The names of values that only a build tells, in document order.
    package var unknownNames: [String] {
        attributes.map(\.value).filter(Self.isUnknown) + children.flatMap(\.unknownNames)
    }

    package static func isUnknown(_ value: String) -> Bool { value.hasPrefix("@") || value.hasPrefix("${") }

    /// A copy in which a value that only a build tells has become known.
    package func replacing(_ unknown: String, by value: String) -> SlowElement {
        var copy = self
        for index in attributes.indices where attributes[index].value == unknown {
            copy.attributes[index].value = value
        }
        copy.children = children.map { $0.replacing(unknown, by: value) }
        return copy
    }

    /// The manifest in its source form, with the escapes that XML and Android's build tools want.
    ///
    /// - Parameter prefix: The prefix of Android's namespace.
    package func xml(prefix: String = "android") -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + text(prefix, "")
    }

    private func text(_ prefix: String, _ indentation: String) -> String {
        var result = "\(indentation)<\(name)"
        if name == "manifest" {
            result += " xmlns:\(prefix)=\"http://schemas.android.com/apk/res/android\""
            result += " xmlns:tools=\"http://schemas.android.com/tools\""
        }
        for (name, value) in attributes {
            let isAndroid = name.hasPrefix("android:")
            result += " " + (isAndroid ? prefix + ":" + name.dropFirst("android:".count) : name)
            result += "=\"" + Self.escaped(value) + "\""
        }
        guard !children.isEmpty else { return result + "/>\n" }
        return result + ">\n" + children.map { $0.text(prefix, indentation + "  ") }.joined()
            + "\(indentation)</\(name)>\n"
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "\"": result += "\\&quot;"
            case "'": result += "\\&#39;"
            case "é": result += "\\u00e9"
            case "/" where result.isEmpty: result += "&#x2F;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
