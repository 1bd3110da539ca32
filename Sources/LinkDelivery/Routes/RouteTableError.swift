/// A table of routes that cannot be meant as it is written.
public struct RouteTableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Something that is wrong with a route.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        public enum Kind: Hashable, Sendable {
            /// The pattern is not sound.
            case pattern
            /// There are more or fewer types than captures.
            case parameters
            /// An earlier route is for the same links.
            case clash
            /// An earlier route takes all links of this one.
            case unreachable
        }

        public let kind: Kind
        /// The place of the route in the table; the first is 0.
        public let index: Int
        /// The route, as it was written.
        public let route: String
        /// What is the matter, where and what to do, in one sentence.
        public let description: String
    }

    /// In the order of the routes; never empty.
    public let problems: [Problem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
