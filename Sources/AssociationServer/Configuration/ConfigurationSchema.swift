internal import ACME
package import Diagnostics

extension ServerConfiguration {
    /// The JSON Schema of server.json: it takes no unknown key, no value of another type, and no object without what it needs.
    package static var schema: JSONSchema {
        object(at: "").with(properties: ["$schema": JSONSchema.string.json])
            .with("title", .string("server.json of aasa serve"))
    }

    /// The object at a path, which is empty or ends with a dot.
    private static func object(at path: String) -> JSONSchema {
        var properties: [String: JSONOutput] = [:]
        for key in keys where key.path.hasPrefix(path) {
            let rest = key.path.dropFirst(path.count)
            let name = String(rest.prefix { $0 != "." })
            guard properties[name] == nil else { continue }
            if name.count == rest.count {
                properties[name] = key.schema.json
            } else {
                let inner = object(at: "\(path)\(name).")
                properties[name] = (path + name == ACMEConfiguration.name ? orders(inner) : inner).json
            }
        }
        return JSONSchema.object.with(properties: properties).closed()
    }

    /// No CA is asked without its terms; null is as good as nothing.
    private static func orders(_ object: JSONSchema) -> JSONSchema {
        .any(of: [object.requiring(["agreeToTerms"]), .type("null")])
    }
}
