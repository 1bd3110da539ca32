internal import Glibc

/// What is known about the terminal that a descriptor may be.
enum Terminal {
    /// The columns of a terminal; nil if it is none.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Whether text on a descriptor is coloured when nobody has said so in the arguments: NO_COLOR forbids it (no-color.org),
    /// FORCE_COLOR and CLICOLOR_FORCE ask for it, and otherwise it is for a terminal that is not dumb.
    static func isColored(_ descriptor: Int32) -> Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        guard variable("NO_COLOR").isEmpty else { return false }
        for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
            if !["", "0", "false"].contains(variable(name)) { return true }
        }
        return isatty(descriptor) == 1 && variable("TERM") != "dumb"
    }
}
