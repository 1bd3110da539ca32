internal import ArgumentParser
internal import BoundedText
package import Diagnostics
internal import Glibc

/// The options that say in which form results are shown.
package struct OutputOptions: ParsableArguments {
    /// When to use colors.
    package enum Color: String, ExpressibleByArgument, CaseIterable, Sendable {
        case auto, always, never
    }

    @Option(help: "Use colors; auto uses them on terminals, and honors NO_COLOR and FORCE_COLOR.")
    package var color = Color.auto

    package init() {}

    /// The style for standard output.
    package var style: TextStyle { style(of: STDOUT_FILENO) }
    /// The style for standard error.
    package var errorStyle: TextStyle { style(of: STDERR_FILENO) }
    /// The style for a file.
    package var fileStyle: TextStyle { TextStyle(isColored: color == .always) }
    /// The columns of the terminal that standard output is; nil if it is none.
    package var width: Int? { Terminal.columns(of: STDOUT_FILENO) }
    /// The columns of the terminal that standard error is; nil if it is none.
    package var errorWidth: Int? { Terminal.columns(of: STDERR_FILENO) }

    /// Whether standard output and standard error are the same, a terminal or the log of a CI system, so that one person sees
    /// both.
    package var showsBoth: Bool {
        var (output, error) = (stat(), stat())
        guard fstat(STDOUT_FILENO, &output) == 0, fstat(STDERR_FILENO, &error) == 0 else { return false }
        return output.st_dev == error.st_dev && output.st_ino == error.st_ino
    }

    /// Whether the locale and the terminal can show characters beyond ASCII.
    package var showsUnicode: Bool { Terminal.showsUnicode }

    /// The marks that they can show.
    package var symbols: Symbols { Symbols(isUnicode: Terminal.showsUnicode) }

    private func style(of descriptor: Int32) -> TextStyle {
        switch color {
        case .always: TextStyle(isColored: true)
        case .never: TextStyle(isColored: false)
        case .auto: TextStyle(isColored: Terminal.isColored(descriptor))
        }
    }
}

/// The facts about the terminal that a descriptor may be.
enum Terminal {
    /// The columns of a terminal; nil if it is none.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Whether text on a descriptor is colored if no argument says so: NO_COLOR forbids it (no-color.org),
    /// FORCE_COLOR and CLICOLOR_FORCE ask for it, and otherwise it is for a terminal that is not dumb.
    static func isColored(_ descriptor: Int32) -> Bool {
        guard variable("NO_COLOR").isEmpty else { return false }
        for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
            if !["", "0", "false"].contains(variable(name)) { return true }
        }
        return isatty(descriptor) == 1 && variable("TERM") != "dumb"
    }

    /// Whether characters beyond ASCII can be shown: the locale is in UTF-8 (the first of LC_ALL, LC_CTYPE and LANG that is
    /// set), and the terminal is not dumb.
    static var showsUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).first { !$0.isEmpty } ?? ""
        return locale.uppercased().replacing("-", with: "").contains(".UTF8") && variable("TERM") != "dumb"
    }

    private static func variable(_ name: String) -> String { getenv(name).map { String(cText: $0) } ?? "" }
}

/// Marks in tables: with ASCII only where a terminal or a locale may not show more.
package struct Symbols: Sendable {
    package let check: String
    package let cross: String
    package let ellipsis: String
    /// The columns of the wider mark.
    package let width: Int

    package init(isUnicode: Bool) {
        (check, cross, ellipsis, width) = isUnicode ? ("✓", "✗", "…", 1) : ("ok", "x", "...", 2)
    }
}
