/// What the captures of a route took from a URL.
public struct RouteCaptures: Hashable, Sendable {
    /// The names of the captures, in the order of ``RoutePattern/captureNames``.
    public let names: [String]
    /// What each of them took, in bytes as they stand in the URL.
    private let texts: [[UInt8]]

    /// - Parameter texts: As many as there are names.
    init(names: [String], texts: [[UInt8]]) {
        self.names = names
        self.texts = texts
    }

    /// What a capture took, percent-decoded; nil if the route has no capture of this name.
    ///
    /// An escape that is none, or is no part of a character in UTF-8, stays as it is; so does `+`.
    public subscript(name: String) -> String? {
        text(name).map(EscapedText.decoded)
    }

    /// What a capture took as it stands in the URL; nil if the route has no capture of this name.
    public func raw(_ name: String) -> String? {
        text(name).map { String(decoding: $0, as: UTF8.self) }
    }

    private func text(_ name: String) -> [UInt8]? {
        zip(names, texts).first { $0.0 == name }?.1
    }
}
