/// Numbers of things in messages.
enum Count {
    /// `1 site`, `2 sites`.
    static func text(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
