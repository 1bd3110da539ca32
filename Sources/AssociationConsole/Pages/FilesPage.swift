internal import AssociationLint
internal import Diagnostics

/// The files of `aasa console` with their findings counted, and each of them.
struct FilesPage {
    let frame: PageFrame
    let files: any ConsoleFiles
    let unwrap: @Sendable ([UInt8]) -> SignedFile?

    func overview() -> ConsoleAnswer {
        frame.page("Files", .overview) { html in
            guard !files.paths.isEmpty else {
                html.markup("<p>No file was named. The <a")
                html.attribute("href", frame.link("playground"))
                html.markup(">playground</a> begins with an example.</p>\n")
                return
            }
            html.markup(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of files\">\n<table id=\"files\">\n"
            )
            html.markup("<caption class=\"visually-hidden\">Files and their findings</caption>\n<thead><tr>")
            html.markup("<th scope=\"col\">File</th><th scope=\"col\">Findings</th><th scope=\"col\">Size</th>")
            html.markup("</tr></thead>\n<tbody>\n")
            for (index, path) in files.paths.enumerated() { write(index, path, &html) }
            html.markup(
                "</tbody>\n</table>\n</div>\n<p>The files are read again for each page, and never written.</p>\n")
        }
    }

    private func write(_ index: Int, _ path: String, _ html: inout HTMLWriter) {
        html.markup("<tr><th scope=\"row\"><a")
        html.attribute("href", frame.link("files/\(index + 1)"))
        html.markup(">")
        html.text(path)
        html.markup("</a></th><td>")
        switch files.content(at: index) {
        case .success(let bytes):
            html.text(FileSummary.words(files.report(bytes, path: path)))
            html.markup("</td><td class=\"number\">")
            html.text(counted(bytes.count, "byte"))
        case .failure(let error):
            html.text(error.message)
            html.markup("</td><td class=\"number\">–")
        }
        html.markup("</td></tr>\n")
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
            return frame.page(path, .overview) { html in
                html.markup("<p>")
                html.text(error.message)
                html.markup("</p>\n")
            }
        }
    }

}
