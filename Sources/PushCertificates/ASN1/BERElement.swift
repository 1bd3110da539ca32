/// An element of BER or DER (X.690): its tag, and where its content is.
struct BERElement {
    /// The first octet: class, whether it is constructed, and the number if that is below 31.
    let identifier: UInt8
    /// The number of the tag.
    let number: Int
    /// Without the end-of-contents octets of an indefinite length.
    let content: ArraySlice<UInt8>
    /// All of it, header and end included.
    let encoded: ArraySlice<UInt8>

    var isConstructed: Bool { identifier & 0x20 != 0 }
    var tagClass: UInt8 { identifier >> 6 }

    /// Whether it is of a universal type, in primitive or constructed form.
    func isUniversal(_ tag: BERTag) -> Bool { tagClass == 0 && number == tag.rawValue }
    /// Whether it has a context-specific tag.
    func isContext(_ number: Int) -> Bool { tagClass == 2 && self.number == number }
}
