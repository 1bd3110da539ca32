/// An association document that was made at random, in a form that can be made smaller.
package struct FuzzDocument {
    struct Detail {
        var apps: [String]
        /// Keys and values of `defaults`, as JSON.
        var defaults: [String]
        /// The components, each as its keys and values, as JSON.
        var components: [[String]]
    }

    /// Keys and values of `defaults` of the domain, as JSON.
    var defaults: [String] = []
    /// Names and values of variables, as JSON.
    var variables: [String] = []
    var details: [Detail] = []

    package var json: String {
        let entries = details.map { detail in
            let apps = detail.apps.map(JSONText.quoted).joined(separator: ",")
            let components = detail.components.map { "{\($0.joined(separator: ","))}" }.joined(separator: ",\n")
            return """
                {"appIDs":[\(apps)],"defaults":{\(detail.defaults.joined(separator: ","))},"components":[
                \(components)]}
                """
        }
        return """
            {"applinks":{"defaults":{\(defaults.joined(separator: ","))},
            "substitutionVariables":{\(variables.joined(separator: ","))},
            "details":[\(entries.joined(separator: ",\n"))]}}
            """
    }

    /// All documents that are a little smaller than this one.
    var smaller: [FuzzDocument] {
        var result: [FuzzDocument] = []
        func add(_ change: (inout FuzzDocument) -> Void) {
            var copy = self
            change(&copy)
            result.append(copy)
        }
        for detail in details.indices {
            add { $0.details.remove(at: detail) }
            let count = details[detail].components.count
            var size = count / 2
            while size > 0 {
                for start in stride(from: 0, to: count, by: size) {
                    add { $0.details[detail].components.removeSubrange(start..<min(start + size, count)) }
                }
                size /= 2
            }
            for component in details[detail].components.indices where count <= 4 {
                for key in details[detail].components[component].indices {
                    add { $0.details[detail].components[component].remove(at: key) }
                }
            }
            for key in details[detail].defaults.indices { add { $0.details[detail].defaults.remove(at: key) } }
        }
        for key in defaults.indices { add { $0.defaults.remove(at: key) } }
        for key in variables.indices { add { $0.variables.remove(at: key) } }
        return result
    }
}
