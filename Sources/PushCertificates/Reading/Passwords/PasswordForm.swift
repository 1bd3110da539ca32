/// In which form a derivation takes a password.
enum PasswordForm: Sendable {
    case utf16
    case utf8
}
