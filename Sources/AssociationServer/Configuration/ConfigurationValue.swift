internal import Diagnostics
internal import JSONSyntax

/// A value of server.json, with its place and what messages call it.
struct ConfigurationValue {
    /// `limits.perAddress`; empty for the file itself.
    let name: String
    let pointer: JSONPointer
    let node: JSONNode

    /// What the value is, for a message.
    var kind: String { node.kind }

    /// The number as it is written, cut if it is long, or what else the value is.
    var number: String {
        guard case .number(let literal) = node.value else { return kind }
        return literal.utf8.count <= 40 ? literal : "\(literal.prefix(40))…"
    }

    /// The value of a key; of several the last one.
    subscript(key: String) -> ConfigurationValue? {
        node.object?[key].map { node in
            ConfigurationValue(
                name: name.isEmpty ? key : "\(name).\(key)", pointer: pointer.member(key), node: node)
        }
    }

    var elements: [ConfigurationValue]? {
        node.array?.enumerated().map { place, node in
            ConfigurationValue(name: name, pointer: pointer.element(place), node: node)
        }
    }
}
