internal import BoundedText
internal import Diagnostics
internal import SystemSupport

/// The files of a certificate and its key as other ACME clients name them.
///
/// The server reads certbot's names only: with one name for each file there is no doubt about which of several it serves. It
/// says how to link the others.
package struct ForeignPair: Equatable, Sendable {
    package let chain: String
    package let key: String

    package init(chain: String, key: String) { (self.chain, self.key) = (chain, key) }

    /// - Parameter names: the names in a folder.
    /// - Returns: the pairs of acme.sh (`fullchain.cer` and the only `NAME.key`), lego and Kubernetes (`NAME.crt` and
    ///   `NAME.key`) and win-acme (`NAME-chain.pem` and `NAME-key.pem`), in the order of the names' bytes.
    package static func all(among names: [String]) -> [ForeignPair] {
        let files = Set(names.map { Array($0.utf8) })
        let keys = names.filter { stem(of: $0, ".key") != nil }
        var found: [ForeignPair] = []
        if files.contains(Array("fullchain.cer".utf8)), keys.count == 1 {
            found.append(ForeignPair(chain: "fullchain.cer", key: keys[0]))
        }
        for (chainEnd, keyEnd) in [(".crt", ".key"), ("-chain.pem", "-key.pem")] {
            for name in names {
                guard let stem = stem(of: name, chainEnd), files.contains(stem + Array(keyEnd.utf8)) else { continue }
                found.append(ForeignPair(chain: name, key: String(text: stem) + keyEnd))
            }
        }
        return found.sorted { $0.chain.utf8.lexicographicallyPrecedes($1.chain.utf8) }
    }

    /// The pairs in a folder, of which 1,000 names are looked at.
    package static func all(in folder: String) -> [ForeignPair] {
        all(among: Folder.names(in: folder, most: 1_000))
    }

    private static func stem(of name: String, _ end: String) -> [UInt8]? {
        guard name.utf8.count > end.utf8.count, name.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) else {
            return nil
        }
        return Array(name.utf8.dropLast(end.utf8.count))
    }

    /// The clause about what is found, and what to do with it; nil if there is nothing.
    ///
    /// - Parameters:
    ///   - pairs: those in one folder.
    ///   - folder: the folder of one certificate; nil if it is the folder of all.
    package static func advice(_ pairs: [ForeignPair], in folder: String?) -> (clause: String, help: String)? {
        guard let pair = pairs.first else { return nil }
        let files = "\(quoted(pair.chain)) and \(quoted(pair.key))"
        let links = (CertificateLoader.chainName, CertificateLoader.keyName)
        guard pairs.count == 1, let folder else {
            return (
                pairs.count == 1 ? "found \(files)" : "found \(pairs.count) certificates with keys, such as \(files)",
                "make a folder for each certificate, with links '\(links.0)' and '\(links.1)' to its files"
            )
        }
        return (
            "found \(files)",
            "link them: 'ln -s \(pair.chain) \(folder)/\(links.0)' and 'ln -s \(pair.key) \(folder)/\(links.1)'"
        )
    }
}
