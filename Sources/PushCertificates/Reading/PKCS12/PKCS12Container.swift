/// The outermost structure of a PKCS #12 (RFC 7292, section 4): what is protected, and the proof.
struct PKCS12Container {
    /// The type of the content: data if a password protects it.
    let contentType: String
    /// Nil if it is of another type.
    let content: OctetString?
    let mac: MACData?
    /// The number of bytes behind the end.
    let trailingBytes: Int

    init(_ bytes: ArraySlice<UInt8>) throws(BERError) {
        var file = BERReader(bytes)
        var reader = try BERReader(inside: file.next(.sequence))
        trailingBytes = file.rest.count
        guard try reader.next(.integer).unsigned == 3 else { throw .malformed }
        let information = try ContentInformation(reader.next(.sequence))
        contentType = information.type
        content = information.type == ContentInformation.data ? try information.octets() : nil
        mac = try reader.next().map { element throws(BERError) in try MACData(element) }
        try reader.finish()
    }
}
