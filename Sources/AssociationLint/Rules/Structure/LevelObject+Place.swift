extension LevelObject {
    /// What messages say of where the keys of this object stand.
    var place: String { level == .root ? "at the top of the file" : "in \(name)" }
}
