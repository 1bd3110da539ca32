/// The choice of a language by the value of `Accept-Language` (RFC 9110, section 12.5.4; lookup by RFC 4647, section 3.4).
package enum AcceptLanguage {
    /// The offered language that a client prefers; the first one where none is acceptable, or the value is malformed.
    ///
    /// - Parameters:
    ///   - value: of the field; empty if there is none.
    ///   - offered: at least one.
    package static func choose(_ value: UnsafeBufferPointer<UInt8>, from offered: [PageLanguage]) -> PageLanguage {
        offered.first ?? .english
    }
}
