package import Diagnostics
internal import DomainNames

/// The rules about `links.json` that the file alone decides.
package enum LinkPageRules {
    package static let all: [RuleDescription] = []
}

/// The example files of the rules about `links.json`, as they are checked.
package enum LinkPageExample {
    /// Reads an example as the file of `go.example.com`, with an icon beside it and nothing else.
    package static func document(_ bytes: [UInt8]) -> LinksDocument {
        let icon: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return LinksDocument.read(bytes, domain: Domain("go.example.com")) { name, _ in
            name == "icon.png" ? .found(icon, sha256: [UInt8](repeating: 0x2A, count: 32)) : .missing
        }
    }
}
