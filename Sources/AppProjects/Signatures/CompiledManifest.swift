internal import Android
internal import BoundedText

/// The manifest of an APK, which the build tools compile into chunks (Android's public source, `ResourceTypes.h`).
enum CompiledManifest {
    /// Larger ones are not read.
    static let maximumSize = 4 << 20

    private static let (stringPool, document, startTag) = (0x0001, 0x0003, 0x0102)
    /// Stands for a string that is not there.
    private static let none = 0xFFFF_FFFF
    /// The type of a value that is a string of the pool.
    private static let stringType = 3

    /// The name of the app: the attribute `package` of the first element; nil if it is not there, or not a valid name.
    static func package(in bytes: [UInt8]) -> String? {
        guard let name = try? packageName(in: bytes), AndroidPackageName.isValid(name) else { return nil }
        return name
    }

    private static func packageName(in bytes: [UInt8]) throws(SignatureError) -> String? {
        var whole = BlockReader(bytes[...], of: "the manifest")
        var (type, chunks) = try chunk(&whole)
        var strings: StringPool?
        guard type == document else { return nil }
        while !chunks.isAtEnd {
            let content: BlockReader
            (type, content) = try chunk(&chunks)
            if type == stringPool { strings = try StringPool(content) }
            if type == startTag, let strings { return try package(of: content, strings) }
        }
        return nil
    }

    /// - Returns: The type of the next chunk, and what follows the first part of its header, which all have.
    private static func chunk(_ reader: inout BlockReader) throws(SignatureError) -> (Int, BlockReader) {
        let type = try reader.number32() & 0xFFFF
        return (type, try reader.block(length: try reader.number32() - 8))
    }

    private static func package(of tag: BlockReader, _ strings: StringPool) throws(SignatureError) -> String? {
        var tag = tag
        // Line, comment, namespace.
        _ = try tag.block(length: 12)
        guard strings.text(try tag.number32()) == "manifest" else { return nil }
        let (start, size, count) = (try tag.number16(), try tag.number16(), try tag.number16())
        // It counts from the namespace on.
        _ = try tag.block(length: start - 14)
        for _ in 0..<count {
            var attribute = try tag.block(length: size)
            let (space, name, raw) = (try attribute.number32(), try attribute.number32(), try attribute.number32())
            guard space == none, strings.text(name) == "package" else { continue }
            let (type, value) = (try attribute.number32() >> 24, try attribute.number32())
            return raw != none ? strings.text(raw) : type == stringType ? strings.text(value) : nil
        }
        return nil
    }

    /// The strings of a document, of which only those are decoded that are asked for.
    private struct StringPool {
        private let offsets: BlockReader
        private let content: BlockReader
        private let isUTF8: Bool

        init(_ chunk: BlockReader) throws(SignatureError) {
            var (reader, whole) = (chunk, chunk)
            // After the number of strings that of styles, and where these begin at the end.
            let (count, _, flags) = (try reader.number32(), try reader.number32(), try reader.number32())
            let (start, _) = (try reader.number32() - 8, try reader.number32())
            isUTF8 = flags & 0x100 != 0
            offsets = try reader.block(length: count * 4)
            _ = try whole.block(length: start)
            content = whole
        }

        /// A string of up to 127 characters of ASCII, which is more than a name has; nil for another one.
        func text(_ index: Int) -> String? { try? decoded(index) }

        private func decoded(_ index: Int) throws(SignatureError) -> String? {
            var (offset, string) = (offsets, content)
            _ = try offset.block(length: index * 4)
            _ = try string.block(length: try offset.number32())
            // In UTF-8 the length in UTF-16 comes first. The highest bit says that a second number follows.
            let count = isUTF8 ? (try string.number8(), try string.number8()).1 : try string.number16()
            guard count < 0x80 else { return nil }
            var bytes: [UInt8] = []
            for _ in 0..<count { bytes.append(UInt8(clamping: try isUTF8 ? string.number8() : string.number16())) }
            return String(text: bytes)
        }
    }
}
