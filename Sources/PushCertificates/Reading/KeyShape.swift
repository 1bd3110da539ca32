/// What a SEQUENCE holds that begins with neither a SEQUENCE nor the number 3.
enum KeyShape {
    /// A private key in PKCS #8 or in the form of its algorithm.
    case key
    /// A PKCS #7 or CMS container.
    case bundle

    init?(_ bytes: ArraySlice<UInt8>) {
        do throws(BERError) {
            var file = BERReader(bytes)
            var inside = try BERReader(inside: file.next(.sequence))
            guard let first = try inside.next(), let second = try inside.next() else { return nil }
            if first.isUniversal(.objectIdentifier), second.isContext(0) {
                self = .bundle
            } else if first.isUniversal(.integer), let version = first.unsigned, version <= 1 {
                guard second.isUniversal(.sequence) || second.isUniversal(.octetString) || second.isUniversal(.integer)
                else { return nil }
                self = .key
            } else {
                return nil
            }
        } catch {
            return nil
        }
    }
}
