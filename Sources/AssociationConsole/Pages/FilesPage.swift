internal import AssociationLint
internal import Diagnostics
internal import SystemSupport

/// The files of `aasa console` with their findings counted, and each of them.
struct FilesPage {
    let frame: PageFrame
    let files: any ConsoleFiles
    let unwrap: @Sendable ([UInt8]) -> SignedFile?

    func overview() -> ConsoleAnswer {
        frame.page("Files", .overview) { html in
            html += DoctorPage.form(frame)
            guard !files.paths.isEmpty else {
                html += #"""
                    <p>No file was named. The <a href="\#(frame.link("playground"))">playground</a> begins with an \#
                    example.</p>

                    """#
                return
            }
            html.table(
                "files", "Table of files", caption: "Files and their findings", ["File", "Findings", "Size"]
            ) { html in
                for (index, path) in files.paths.enumerated() { html += row(index, path) }
            }
            html += "<p>The files are read again for each page, and never written.</p>\n"
        }
    }

    private func row(_ index: Int, _ path: String) -> HTML {
        let (findings, size) =
            switch files.content(at: index) {
            case .success(let bytes):
                (FileSummary.words(files.report(bytes, path: path)), counted(bytes.count, "byte"))
            case .failure(let error): ("cannot be read: \(error.reason)", "–")
            }
        return #"""
            <tr><th scope="row"><a href="\#(frame.link("files/\(index + 1)"))">\#(path)</a></th><td>\#(findings)</td>\#
            <td class="number">\#(size)</td></tr>

            """#
    }

    func file(_ number: Int, url: String?, now: Int64) -> ConsoleAnswer {
        guard files.paths.indices.contains(number - 1) else { return frame.notFound("File \(number) does not exist.") }
        let path = files.paths[number - 1]
        switch files.content(at: number - 1) {
        case .success(let bytes):
            let page = SitePage(frame: frame, reader: UsableFileReader(unwrap: unwrap), now: now)
            return page.answer(
                bytes, path: path, number: number, domain: files.domain, url: url,
                isManifest: FileKind(path: path, bytes) == .manifest, files.report(bytes, path: path))
        case .failure(let error):
            return frame.page(path, .overview) { $0 += "<p>cannot be read: \(error.reason)</p>\n" }
        }
    }
}
