/// The `server_name` extension of a client hello (RFC 6066, section 3).
enum ServerNameExtension {
    /// The range of the host name in the extension's data; `nil` if the data is malformed.
    static func hostName(in data: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        // A list's length, then one entry: its type (0 = host name), its length, the name.
        guard data.count > 5 else { return nil }
        let listLength = Int(data[0]) << 8 | Int(data[1])
        let nameLength = Int(data[3]) << 8 | Int(data[4])
        guard listLength == data.count - 2, data[2] == 0, nameLength == data.count - 5, nameLength <= 255 else {
            return nil
        }
        return 5..<data.count
    }
}
