package import ArgumentParser
internal import Glibc
internal import SystemSupport

/// The manual of a program: the pages of its commands, and those of the files that it reads.
///
/// `PROGRAM --generate-manual` lists the pages, and `PROGRAM --generate-manual PAGE…` prints some of them, so that a
/// package is made from the program alone.
package struct Manual {
    private let pages: () -> [ManualPage]

    static let option = "--generate-manual"

    /// - Parameters:
    ///   - command: The root of all commands.
    ///   - filePages: Pages of section 5.
    package init(
        of command: any ParsableCommand.Type, layout: CommandPages.Layout,
        filePages: @escaping () -> [ManualPage] = { [] }
    ) {
        pages = { CommandPages(of: command, layout: layout).pages + filePages() }
    }

    /// What was asked for, or why that cannot be.
    func answer(_ names: [String], program: String) -> Result<String, UnknownPage> {
        let pages = pages()
        guard !names.isEmpty else { return .success(pages.map { "\($0.fileName)\n" }.joined()) }
        var texts: [String] = []
        for name in names {
            guard let page = pages.first(where: { $0.fileName == name }) else {
                return .failure(
                    UnknownPage(message: "unknown page '\(name)'; '\(program) \(Self.option)' lists the pages"))
            }
            texts.append(page.text(date: Self.date))
        }
        return .success(texts.joined())
    }

    struct UnknownPage: Error {
        let message: String
    }

    /// The day of SOURCE_DATE_EPOCH, else today, as mdoc writes it.
    private static var date: String {
        let epoch = getenv("SOURCE_DATE_EPOCH").flatMap { Int64(String(cString: $0)) }
        let seconds = min(max(epoch ?? Int64(time(nil)), 0), InternetDate.latest)
        let date = CivilDate(secondsSince1970: seconds)
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(months[date.month - 1]) \(date.day), \(date.year)"
    }
}
