/// What one comparison of patterns has shown.
enum Cover {
    case no
    case yes
    /// Yes, but only because `/x/*` also matches `/x`.
    case yesAsParent

    var isProved: Bool { self != .no }
}
