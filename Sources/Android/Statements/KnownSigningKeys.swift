/// Signing certificates whose private key is public, or that are examples in documentation: no app in a store is signed with
/// one of them.
///
/// Fingerprints are SHA-256 of a certificate, as `assetlinks.json` has them: 32 pairs of hexadecimal digits with colons.
package enum KnownSigningKeys {
    /// A certificate whose private key is public.
    package struct Key: Sendable, Equatable {
        /// In upper case.
        package let fingerprint: String
        /// Like `Android's test key`.
        package let name: String
    }

    /// The public debug and test keys.
    package static let publicKeys = [
        Key(
            fingerprint:
                "FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C",
            name: "the debug key of React Native's template"),
        Key(
            fingerprint:
                "A4:0D:A8:0A:59:D1:70:CA:A9:50:CF:15:C1:8C:45:4D:47:A3:9B:26:98:9D:8B:64:0E:CD:74:5B:A7:1B:F5:DC",
            name: "Android's test key"),
        Key(
            fingerprint:
                "C8:A2:E9:BC:CF:59:7C:2F:B6:DC:66:BE:E2:93:FC:13:F2:FC:47:EC:77:BC:6B:2B:0D:52:C1:1F:51:19:2A:B8",
            name: "Android's platform test key"),
    ]

    /// The fingerprint in Google's documentation.
    package static let documentationExample =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"

    /// The public debug or test key with a fingerprint; nil if it is none of them.
    ///
    /// - Parameter fingerprint: With colons; its case does not matter.
    package static func publicKey(_ fingerprint: String) -> Key? {
        publicKeys.first { isSame($0.fingerprint, fingerprint) }
    }

    /// Whether a fingerprint is one that stands for another: the documentation's, or one that is typed in a pattern, as
    /// `00:00:…`, `AA:BB:CC:…` and `01:23:45:…`.
    ///
    /// - Parameter fingerprint: With colons; its case does not matter.
    package static func isExample(_ fingerprint: String) -> Bool {
        if isSame(documentationExample, fingerprint) { return true }
        let pairs = fingerprint.split(separator: ":").compactMap { UInt8($0, radix: 16) }
        guard pairs.count > 2 else { return false }
        // Both are less likely than one in a billion for a digest, whose 32 pairs are random.
        let steps = zip(pairs, pairs.dropFirst()).count { [0x11, 0x22].contains($1 &- $0) }
        return Set(pairs).count <= pairs.count / 2 || steps >= 8
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8) { $0 == ((0x61...0x66).contains($1) ? $1 & 0xDF : $1) }
    }
}
