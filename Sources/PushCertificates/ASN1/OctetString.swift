internal import OpenSSL

/// The octets of a string: where they stand in the file if they stand together, else put together and wiped afterwards,
/// as there may be a private key among them.
struct OctetString {
    private enum Storage {
        case lent(ArraySlice<UInt8>)
        case gathered(SecretBytes)
    }

    private let storage: Storage

    init(_ bytes: ArraySlice<UInt8>) {
        storage = .lent(bytes)
    }

    init(_ bytes: SecretBytes) {
        storage = .gathered(bytes)
    }

    /// Lends the bytes; neither they nor slices of them may outlive the call.
    func withBytes<Result, Failure>(
        _ body: (ArraySlice<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .lent(let bytes): try body(bytes)
        case .gathered(let secret): try secret.withBytes { bytes throws(Failure) in try body(bytes[...]) }
        }
    }
}
