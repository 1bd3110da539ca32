internal import Diagnostics

extension HTML {
    /// A table that can be scrolled.
    ///
    /// - Parameters:
    ///   - label: names it for those who do not see it, as the caption does.
    ///   - headings: those of the columns, each a `th`.
    ///   - rows: writes them.
    mutating func table(
        _ id: String, _ label: String, caption: String, headings: HTML, _ rows: (inout HTML) -> Void
    ) {
        self += #"""
            <div class="scroll" tabindex="0" role="region" aria-label="\#(label)">
            <table id="\#(id)">
            <caption class="visually-hidden">\#(caption)</caption>
            <thead><tr>\#(headings)</tr></thead>
            <tbody>

            """#
        rows(&self)
        self += "</tbody>\n</table>\n</div>\n"
    }

    /// A table with a plain heading for each column.
    mutating func table(
        _ id: String, _ label: String, caption: String, _ columns: [String], _ rows: (inout HTML) -> Void
    ) {
        let headings = columns.reduce(into: "" as HTML) { $0 += #"<th scope="col">\#($1)</th>"# }
        table(id, label, caption: caption, headings: headings, rows)
    }

    /// A section with a heading.
    mutating func section(_ name: String, _ title: String, _ content: (inout HTML) -> Void) {
        self += #"<section aria-labelledby="\#(name)-heading">\#n<h2 id="\#(name)-heading">\#(title)</h2>\#n"#
        content(&self)
        self += "</section>\n"
    }

    /// Links to the pages of a list before and after this one; nothing if there are none.
    ///
    /// - Parameters:
    ///   - offset: of the first row on this page.
    ///   - length: the number of rows on a page.
    ///   - link: the address of the page from an offset on.
    mutating func pager(offset: Int, length: Int, count: Int, link: (Int) -> String) {
        guard offset > 0 || offset + length < count else { return }
        self += #"<nav class="pager" aria-label="Pages">"#
        if offset > 0 { self += #"<a rel="prev" href="\#(link(max(0, offset - length)))">Previous</a>"# }
        if offset + length < count { self += #"<a rel="next" href="\#(link(offset + length))">Next</a>"# }
        self += "</nav>\n"
    }
}
