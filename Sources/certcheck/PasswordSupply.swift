import Diagnostics
import PushCertificates

/// The password of a run: from an option, or asked for when the first file needs it; at most once.
struct PasswordSupply {
    private(set) var password: Password?
    private var mayAsk: Bool

    /// - Parameter given: What an option named; nil if there was none.
    init(given: Password?) {
        password = given
        mayAsk = given == nil && TerminalPassword.isPossible
    }

    /// Asks if nobody was asked yet and somebody is there; whether there is a password now that was not there before.
    mutating func ask(for path: String) -> Bool {
        guard mayAsk else { return false }
        mayAsk = false
        password = TerminalPassword.ask("Password for '\(VisibleText.escaped(path))': ")
        return password != nil
    }
}
