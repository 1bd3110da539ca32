/// Bytes that are no BER where it was expected.
enum BERError: Error {
    /// The bytes end before the element does.
    case truncated
    /// A length, a tag or a type that cannot be here.
    case malformed
}
