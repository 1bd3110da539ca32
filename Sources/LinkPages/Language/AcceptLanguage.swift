internal import BoundedText

/// The choice of a language by the value of `Accept-Language` (RFC 9110, section 12.5.4; lookup by RFC 4647, section 3.4).
package enum AcceptLanguage {
    /// The offered language that a client prefers; the first one where none is acceptable, or the value is malformed.
    ///
    /// - Parameters:
    ///   - value: of the field; empty if there is none.
    ///   - offered: at least one.
    package static func choose(_ value: UnsafeBufferPointer<UInt8>, from offered: [PageLanguage]) -> PageLanguage {
        guard let first = offered.first else { return .english }
        if offered.count == 1 || value.isEmpty { return first }
        // A bit for each language that a range with the quality 0 names.
        var excluded: UInt16 = 0
        var elements = FieldElements(value)
        while let element = elements.next() {
            guard let range = LanguageRange(element, in: value) else { return first }
            if range.quality == 0, let language = language(value[range.tag]) { excluded |= 1 << language.rawValue }
        }
        func accepts(_ language: PageLanguage) -> Bool { excluded & 1 << language.rawValue == 0 }

        var best: (language: PageLanguage, quality: Int)?
        elements = FieldElements(value)
        while let element = elements.next() {
            guard let range = LanguageRange(element, in: value), range.quality > best?.quality ?? 0 else { continue }
            if let language = lookup(value[range.tag], offered, accepts) { best = (language, range.quality) }
        }
        return best?.language ?? offered.first(where: accepts) ?? first
    }

    /// The first of a range and its shorter forms that is offered.
    private static func lookup(
        _ tag: Slice<UnsafeBufferPointer<UInt8>>, _ offered: [PageLanguage], _ accepts: (PageLanguage) -> Bool
    ) -> PageLanguage? {
        if tag.elementsEqual("*".utf8) { return offered.first(where: accepts) }
        var tag = tag
        while true {
            if let language = language(tag), accepts(language), offered.contains(language) { return language }
            guard let hyphen = tag.lastIndex(of: UInt8(ascii: "-")) else { return nil }
            tag = tag[..<hyphen]
        }
    }

    /// The language that a tag is, in any case, without regard to shorter forms.
    private static func language(_ tag: Slice<UnsafeBufferPointer<UInt8>>) -> PageLanguage? {
        let tag = UnsafeBufferPointer(rebasing: tag)
        var number: UInt8 = 0
        while let language = PageLanguage(rawValue: number) {
            if tag.reads(language.tag) { return language }
            number &+= 1
        }
        if tag.reads("zh") || tag.reads("zh-cn") || tag.reads("zh-sg") { return .simplifiedChinese }
        if tag.reads("zh-tw") || tag.reads("zh-hk") || tag.reads("zh-mo") { return .traditionalChinese }
        return nil
    }
}

/// The elements of a comma-separated list in a field (RFC 9110, section 5.6.1), without white space; empty ones are left out.
struct FieldElements: IteratorProtocol {
    private let value: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ value: UnsafeBufferPointer<UInt8>) { self.value = value }

    mutating func next() -> Range<Int>? {
        while index < value.count {
            let start = index
            while index < value.count, value[index] != UInt8(ascii: ",") { index += 1 }
            let element = value.trimmed(start..<index)
            index += 1
            if !element.isEmpty { return element }
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are a text, without regard to the case of ASCII letters.
    func reads(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in 0..<count where CaseFolding.ascii(self[index]) != CaseFolding.ascii(text.utf8Start[index]) {
            return false
        }
        return true
    }

    /// A range without the spaces and tabs at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        while lower < upper, isBlank(self[lower]) { lower += 1 }
        while lower < upper, isBlank(self[upper - 1]) { upper -= 1 }
        return lower..<upper
    }
}

/// A language range and its quality: `de-AT;q=0.8`.
private struct LanguageRange {
    let tag: Range<Int>
    /// In thousandths.
    let quality: Int

    /// Nil for what is none (RFC 4647, section 2.1).
    init?(_ element: Range<Int>, in value: UnsafeBufferPointer<UInt8>) {
        let mark = value[element].firstIndex(of: UInt8(ascii: ";"))
        tag = value.trimmed(element.lowerBound..<(mark ?? element.upperBound))
        guard Self.isRange(value[tag]) else { return nil }
        guard let mark else {
            quality = 1_000
            return
        }
        guard let parsed = QualityValue.parse(value[value.trimmed(mark + 1..<element.upperBound)]) else { return nil }
        quality = parsed
    }

    private static func isRange(_ tag: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        if tag.elementsEqual("*".utf8) { return true }
        var length = 0
        var isFirst = true
        for byte in tag {
            if byte == UInt8(ascii: "-") {
                guard length > 0 else { return false }
                (length, isFirst) = (0, false)
                continue
            }
            length += 1
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
            guard length <= 8, isLetter || !isFirst && byte &- UInt8(ascii: "0") < 10 else { return false }
        }
        return length > 0
    }
}

/// A weight (RFC 9110, section 12.4.2), in thousandths.
enum QualityValue {
    /// Reads `q=0.8`; nil for what is none.
    static func parse(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard text.count >= 3, text.count <= 7, text[text.startIndex] | 0x20 == UInt8(ascii: "q"),
            text[text.startIndex + 1] == UInt8(ascii: "=")
        else { return nil }
        let digits = text.dropFirst(2)
        guard let whole = digits.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1") else { return nil }
        guard digits.count == 1 || digits[digits.startIndex + 1] == UInt8(ascii: ".") else { return nil }
        var quality = whole == UInt8(ascii: "1") ? 1_000 : 0
        var unit = 100
        for digit in digits.dropFirst(2) {
            guard digit &- UInt8(ascii: "0") < 10 else { return nil }
            quality += Int(digit &- UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return quality <= 1_000 ? quality : nil
    }
}
