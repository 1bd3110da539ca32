import Foundation
import TestSupport
import Testing

/// Something that a site has and that is usually in the way of the files: lines of the server's configuration.
typealias Trap = (name: String, lines: String)

/// Sites of a real server: for each trap one with both exported files, one with `assetlinks.json` alone, and one without
/// them, to compare.
struct TrappedSites {
    let both: ExportedFiles
    let links: ExportedFiles
    /// Has `site` with files of its own, also at the paths of ours, and is where the server runs.
    let folder: TemporaryFolder
    private let traps: [Trap]
    private let kinds: [(name: String, files: ExportedFiles?)]
    /// By the names of the sites.
    private let ports: [String: Int]

    /// - Parameters:
    ///   - name: of the exported folder, with all that a configuration may take for something else.
    ///   - traps: in whose lines `SITE` is the folder of the site, and `PASSWORDS` the file with passwords.
    ///   - hasPorts: whether each site has a port of its own.
    init(_ host: String, to name: String, _ traps: [Trap], passwords: String = "", hasPorts: Bool = false) throws {
        both = try ExportedFiles(host, to: name)
        links = try ExportedFiles(host, to: "links alone", hasAssociation: false)
        kinds = [("both", both), ("links", links), ("control", nil)]
        folder = try TemporaryFolder()
        try Self.layOut(in: folder, "site")
        try folder.write(passwords, to: "passwords")
        let (site, file) = ("\(folder.path)/site", "\(folder.path)/passwords")
        self.traps = traps.map {
            ($0.name, $0.lines.replacing("SITE", with: site).replacing("PASSWORDS", with: file))
        }
        let common = try FreePort.reserve()
        var ports: [String: Int] = [:]
        for trap in traps {
            for kind in kinds { ports["\(trap.name).\(kind.name).test"] = hasPorts ? try FreePort.reserve() : common }
        }
        self.ports = ports
    }

    /// A site that has other files at the paths of ours.
    static func layOut(in folder: TemporaryFolder, _ name: String) throws {
        try folder.write("index\n", to: "\(name)/index.html")
        try folder.write("about\n", to: "\(name)/about/index.html")
        try folder.write("secret\n", to: "\(name)/.env")
        try folder.write("other\n", to: "\(name)/.well-known/other")
        for path in [ExportedFiles.associationPath, ExportedFiles.linksPath] {
            try folder.write("other\n", to: "\(name)\(path)")
        }
    }

    var allPorts: [Int] { Array(Set(ports.values)) }
    /// The port of all sites.
    var port: Int { ports.values.first ?? 0 }

    /// The configuration of all sites.
    ///
    /// - Parameters:
    ///   - file: the exported configuration.
    ///   - line: what includes it (``ExportedFiles/included(_:_:)``).
    ///   - site: writes one, of its name, port, what is included, and the lines of its trap.
    func configuration(
        _ file: String, _ line: (before: String, beginning: String)?, _ site: (String, Int, String, String) -> String
    ) throws -> String {
        var text = ""
        for trap in traps {
            for kind in kinds {
                let name = "\(trap.name).\(kind.name).test"
                let included = try kind.files?.included(file, line) ?? ""
                text += site(name, ports[name] ?? 0, included, trap.lines) + "\n"
            }
        }
        return text
    }

    /// Expects that the files are served as they have to be, that each trap is one, and that nothing else is changed.
    ///
    /// - Parameters:
    ///   - server: must still run afterwards.
    ///   - end: of other paths that the host is known to change.
    ///   - headers: more fields of requests for the files.
    ///   - host: the value of `Host` for a name and a port.
    func expectServed(
        by server: ForegroundServer, except end: String? = nil, headers: [String] = [],
        host: (String, Int) -> String = { name, _ in name }
    ) throws {
        func site(_ name: String) -> TrappedSite {
            TrappedSite(name: host(name, ports[name] ?? 0), port: ports[name] ?? 0)
        }
        for trap in traps {
            let control = site("\(trap.name).control.test")
            for (kind, files) in [("both", both), ("links", links)] {
                let site = site("\(trap.name).\(kind).test")
                try files.expectServed(by: site, headers: headers)
                try files.expectTrapped(in: control)
                try files.expectOthersUnchanged(in: site, as: control, except: end)
            }
        }
        #expect(server.isRunning)
    }
}
