import Diagnostics
import OpenSSL
import PushCertificates

/// The passwords of the new file, of the key and of the file in use: from options, or asked for.
final class CombinePasswords {
    private let new: Password?
    private let key: Password?
    private let old: Password?
    /// What somebody has typed already; nobody is to type it twice.
    private var typed: [Password] = []

    init(new: Password?, key: Password?, old: Password?) {
        self.new = new
        self.key = key
        self.old = old
    }

    /// What is tried on an encrypted key: many people use one password for all of it.
    var forKey: [Password] { [key, new].compactMap { $0 } + typed }
    /// What is tried on the file in use.
    var forOld: [Password] { [old, new].compactMap { $0 } + typed }

    /// Whether somebody can be asked for the password of a key.
    var mayAskForKey: Bool { key == nil && TerminalPassword.isPossible }
    /// Whether somebody can be asked for the password of the file in use.
    var mayAskForOld: Bool { old == nil && TerminalPassword.isPossible }

    /// Asks for the password of a file.
    func ask(for name: String) -> Password? {
        guard let password = TerminalPassword.ask("Password for \(name): ") else { return nil }
        typed.append(password)
        return password
    }

    /// The password of the new file; asked for twice if no option named it.
    ///
    /// - Throws: `RenewalError.Code.invalidPassword`.
    func forNewFile() throws(RenewalError) -> Password {
        if let new { return new }
        guard TerminalPassword.isPossible, let first = TerminalPassword.ask("Password for the new file: ") else {
            throw RenewalError(
                .invalidPassword,
                "the new file needs a password; name it with --password-env, --password-file or --password-fd")
        }
        // Nobody shall type a useless one twice.
        try first.checkForNewFile()
        guard let second = TerminalPassword.ask("The same password again: "), Self.isEqual(first, second) else {
            throw RenewalError(.invalidPassword, "the two passwords are not the same; start again")
        }
        return first
    }

    private static func isEqual(_ left: Password, _ right: Password) -> Bool {
        left.bytes.withBytes { left in right.bytes.withBytes { MessageAuthentication.isEqual(left, $0) } }
    }
}
