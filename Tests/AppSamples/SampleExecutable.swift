/// Writes executables for Apple's systems (Mach-O) with a code signature, and nothing that could run.
public struct SampleExecutable: Sendable {
    /// The entitlements in the signature; nil for a signature without any.
    public var entitlements: [UInt8]?
    public var isSigned = true
    public var isWide = true
    public var isBigEndian = false
    /// The number of bytes between the load commands and the signature.
    public var codeSize = 4_096

    public init(_ entitlements: [UInt8]?) { self.entitlements = entitlements }

    /// The thin executable.
    public var bytes: [UInt8] {
        let magic: [UInt8] = isWide ? [0xFE, 0xED, 0xFA, 0xCF] : [0xFE, 0xED, 0xFA, 0xCE]
        // Something else first, such as LC_UUID.
        let other = number(0x1B) + number(24) + [UInt8](repeating: 7, count: 16)
        let length = other.count + (isSigned ? 16 : 0)
        let codeStart = (isWide ? 32 : 28) + length
        let signature = Self.signature(entitlements)
        var bytes = isBigEndian ? magic : magic.reversed()
        bytes += number(0x0100_000C) + number(0) + number(2) + number(isSigned ? 2 : 1) + number(length) + number(0)
        if isWide { bytes += number(0) }
        bytes += other
        if isSigned { bytes += number(0x1D) + number(16) + number(codeStart + codeSize) + number(signature.count) }
        bytes += [UInt8](repeating: 0x90, count: codeSize)
        return isSigned ? bytes + signature : bytes
    }

    /// Several of them in one file.
    public static func fat(_ executables: [SampleExecutable], isWide: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = [0xCA, 0xFE, 0xBA, isWide ? 0xBF : 0xBE] + SamplePropertyList.big(executables.count, 4)
        var offset = 4_096
        let contents = executables.map(\.bytes)
        for content in contents {
            bytes += SamplePropertyList.big(0x0100_000C, 4) + SamplePropertyList.big(0, 4)
            bytes +=
                SamplePropertyList.big(offset, isWide ? 8 : 4) + SamplePropertyList.big(content.count, isWide ? 8 : 4)
            bytes += SamplePropertyList.big(12, 4) + (isWide ? [0, 0, 0, 0] : [])
            offset += (content.count + 4_095) / 4_096 * 4_096
        }
        for content in contents {
            bytes += [UInt8](repeating: 0, count: (4_096 - bytes.count % 4_096) % 4_096) + content
        }
        return bytes
    }

    /// A super blob with a code directory, the requirements and the entitlements, also in DER.
    public static func signature(_ entitlements: [UInt8]?) -> [UInt8] {
        func blob(_ magic: [UInt8], _ content: [UInt8]) -> [UInt8] {
            magic + SamplePropertyList.big(content.count + 8, 4) + content
        }
        var blobs = [
            (0, blob([0xFA, 0xDE, 0x0C, 0x02], [UInt8](repeating: 1, count: 200))),
            (2, blob([0xFA, 0xDE, 0x0C, 0x01], [0, 0, 0, 0])),
        ]
        if let entitlements {
            blobs.append((5, blob([0xFA, 0xDE, 0x71, 0x71], entitlements)))
            blobs.append((7, blob([0xFA, 0xDE, 0x71, 0x72], [0x70, 0x00])))
        }
        var index: [UInt8] = []
        var content: [UInt8] = []
        for (slot, blob) in blobs {
            index += SamplePropertyList.big(slot, 4)
            index += SamplePropertyList.big(12 + 8 * blobs.count + content.count, 4)
            content += blob
        }
        let length = 12 + index.count + content.count
        let head: [UInt8] = [0xFA, 0xDE, 0x0C, 0xC0] + SamplePropertyList.big(length, 4)
        return head + SamplePropertyList.big(blobs.count, 4) + index + content
    }

    private func number(_ value: Int) -> [UInt8] {
        let bytes = SamplePropertyList.big(value, 4)
        return isBigEndian ? bytes : bytes.reversed()
    }
}
