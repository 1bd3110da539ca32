import Android
import AppSiteAssociation
import BoundedText
import CommandLineSupport
import Diagnostics
import URLPatterns
import UniversalLinks

/// Writes the answers of `aasa route`, one URL after the other, for one platform or both.
final class RouteAnswers {
    struct Options {
        let format: ResultFormat
        let explains: Bool
        /// One line per URL.
        let isBrief: Bool
        let style: TextStyle
        let symbols: Symbols
    }

    /// The router for Apple's systems.
    struct Apple {
        let answerer: RouteAnswerer
        let report: RouteTextReport
        /// The number of errors in the file that change which links open.
        let fileErrors: Int
    }

    private let apple: Apple?
    private let android: AndroidRouter?
    private let options: Options
    private var results = StandardOutput()
    private var isFirst = true
    /// Whether something was not an http or https URL with a host.
    private(set) var hasUsageError = false
    /// Whether a URL is not decided, because the files and it are too large together.
    private(set) var hasUndecided = false

    init(apple: Apple?, android: AndroidRouter?, _ options: Options) {
        self.apple = apple
        self.android = android
        self.options = options
    }

    func flush() { results.flush() }

    func answer(_ url: UnsafeRawBufferPointer) {
        let own = apple?.answerer.answer(url)
        // Apps get a URL as the system has it.
        let given = android == nil ? "" : String(text: url)
        let other = android?.answer(own?.encodedURL ?? given, explains: options.explains)
        let isRefused = own == nil && (apple != nil || other == nil)
        if isRefused { hasUsageError = true }
        if own?.decision.outcome == .notDecided || other?.isTooLarge == true { hasUndecided = true }
        let isFirst = self.isFirst
        self.isFirst = false
        switch options.format {
        case .json:
            let answer: JSONOutput =
                isRefused
                ? RouteAnswer.refusal(of: String(text: url))
                : .object(
                    RouteAnswer.members(
                        own, url: given, fileErrors: apple?.fileErrors,
                        android: other?.json(explains: options.explains)))
            results.write(answer.text)
        case .text:
            if !isFirst, !options.isBrief { results.write("") }
            let answer = isRefused ? refusal(String(text: url)) : text(given, own, other)
            results.write(answer)
        }
    }

    private func text(_ url: String, _ apple: RouteAnswer?, _ android: AndroidAnswer?) -> String {
        let report = AndroidTextReport(style: options.style, symbols: options.symbols)
        var own: String?
        if let apple { own = self.apple?.report.text(apple) }
        guard let android else { return own ?? "" }
        if options.isBrief {
            return (own ?? options.style.bold(VisibleText.escaped(url))) + "  \(report.brief(android))"
        }
        return
            ([own ?? options.style.bold(VisibleText.escaped(url))] + report.lines(android, explains: options.explains))
            .joined(separator: "\n")
    }

    private func refusal(_ url: String) -> String {
        apple?.report.refusal(url)
            ?? "\(options.style.red("error"))             \(options.style.bold(VisibleText.escaped(url)))  "
            + VisibleText.escaped(WebURL.refusal(of: url))
    }
}
