import CommandLineSupport
import Diagnostics
import PostgreSQLStore
import SiteStore
import SystemSupport

/// The changes of an import, as `aasa publish` shows it: the first files with their links, then numbers.
struct ImportChanges {
    /// For people: a line for each file, then what changes for its links.
    private(set) var text: [String] = []
    private var objects: [JSONOutput] = []
    private var count = 0
    private let output: OutputOptions
    private let most: Int

    /// - Parameter most: the number of files that are shown.
    init(_ output: OutputOptions, most: Int) {
        self.output = output
        self.most = most
    }

    /// Adds a file that differs from that in the store, if it is one of the first.
    ///
    /// - Parameter folder: where it is on the disk.
    mutating func add(_ file: StorePublication, folder: String, over connection: StoreConnection) throws(StoreError) {
        count += 1
        guard count <= most else { return }
        let key = file.key
        let path = Path.join(folder, key.name)
        let request = PublicationRequest(
            publication: file, host: DomainArgument(domain: key.domain).host, path: path, condition: .any,
            isDryRun: true)
        let result = try request.run(over: connection) { _ in }
        let previous = result.previous?.digest
        let change = file.digest == nil ? "removed" : previous == nil ? "new" : "changed"
        text.append(VisibleText.escaped("\(key): \(change)"))
        text += result.changes(output, path: path)
        objects.append(
            .object([
                "domain": .string(key.domain), "name": .string(key.name), "change": .string(change),
                "sha256": .optional(file.digest?.hex), "previousSha256": .optional(previous?.hex),
                "diff": result.diffJSON,
            ]))
    }

    /// All lines, with the number of files that are not shown.
    var lines: [String] {
        count > most ? text + ["and \(counted(count - most, "other file")); '--all' shows all"] : text
    }

    /// The files that are shown.
    var json: JSONOutput { .array(objects) }
}
