internal import AppSiteAssociation

extension WebURL {
    /// Whether a segment within the path is empty, which nobody means.
    var hasEmptySegment: Bool {
        let slash = UInt8(ascii: "/")
        return zip(path, path.dropFirst()).contains { $0 == slash && $1 == slash }
    }
}
