internal import Diagnostics
internal import SystemSupport

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

    /// A time in UTC to the minute; scripts add the local one.
    ///
    /// - Parameter seconds: Since 1970.
    static func time(_ seconds: Int64) -> HTML {
        #"<time datetime="\#(InternetDate.string(seconds))">\#(InternetDate.dayAndMinute(seconds))</time>"#
    }

    /// Names between which lines break, and nowhere else.
    ///
    /// - Parameter count: The number after which the others are counted.
    static func domains(
        _ names: [String], _ count: Int, _ item: (String) -> HTML = { "<span class=\"domain\">\($0)</span>" }
    ) -> HTML {
        var html: HTML = ""
        for (index, name) in names.prefix(count).enumerated() {
            if index > 0 { html += ", " }
            html += item(name)
        }
        if names.count > count { html += " and \(grouped(names.count - count)) more" }
        return html
    }

    /// Links to the other pages of a list: those before and after this one, and by number; nothing if there are none.
    ///
    /// - Parameters:
    ///   - offset: of the first row on this page.
    ///   - length: the number of rows on a page.
    ///   - link: the address of the page from an offset on.
    mutating func pager(offset: Int, length: Int, count: Int, link: (Int) -> String) {
        guard offset > 0 || offset + length < count else { return }
        let (current, last) = (offset / length + 1, (count + length - 1) / length)
        self += #"<nav class="pager" aria-label="Pages">"#
        if offset > 0 { self += #"<a rel="prev" href="\#(link(max(0, offset - length)))">Previous</a>"# }
        var before = 0
        for page in Set([1, last] + (current - Self.pagesBeside...current + Self.pagesBeside)).sorted()
        where 1...max(1, last) ~= page {
            if page > before + 1 { self += "<span>…</span>" }
            let mark: HTML = page == current ? #" aria-current="page""# : ""
            self += #"<a href="\#(link((page - 1) * length))" aria-label="Page \#(page)"\#(mark)>\#(grouped(page))</a>"#
            before = page
        }
        if offset + length < count { self += #"<a rel="next" href="\#(link(offset + length))">Next</a>"# }
        self += "</nav>\n"
    }

    private static let pagesBeside = 2
}
