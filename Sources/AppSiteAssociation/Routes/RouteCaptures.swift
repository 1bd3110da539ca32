/// What the captures of a route took from a URL.
public struct RouteCaptures: Hashable, Sendable {
    /// The names of the captures, in the order in which the route writes them.
    public let names: [String]
    private let texts: [[UInt8]]

    init(names: [String], texts: [[UInt8]]) {
        self.names = names
        self.texts = texts
    }

    /// The text of a capture, percent-decoded; nil if the route has no capture of this name.
    public subscript(name: String) -> String? { raw(name) }

    /// The text of a capture as it stands in the URL; nil if the route has no capture of this name.
    public func raw(_ name: String) -> String? {
        names.firstIndex(of: name).map { String(decoding: texts[$0], as: UTF8.self) }
    }
}
