/// Where the next byte of a line goes. Whoever makes it has room for all that is put.
struct LineCursor {
    /// So many bytes behind the last one that was put may be written, too.
    static let overhang = 8

    var next: UnsafeMutablePointer<UInt8>

    private static let twoDigits: StaticString = """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        next.pointee = byte
        next += 1
    }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        next.initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
        next += text.utf8CodeUnitCount
    }

    /// Two digits, with a zero in front; `value` is below 100.
    @inline(__always)
    mutating func putTwoDigits(_ value: Int) {
        next.initialize(from: Self.twoDigits.utf8Start + value &* 2, count: 2)
        next += 2
    }

    /// A number in decimal; below zero, where no number of a log is, as 0.
    @inline(__always)
    mutating func put(_ number: Int64) {
        if number < 10 { return put(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: max(number, 0))) }
        var rest = Int(number)
        next += Self.digits(of: rest)
        // From the end, two at a time.
        var place = next
        while rest >= 100 {
            place -= 2
            place.initialize(from: Self.twoDigits.utf8Start + rest % 100 &* 2, count: 2)
            rest /= 100
        }
        if rest >= 10 {
            (place - 2).initialize(from: Self.twoDigits.utf8Start + rest &* 2, count: 2)
        } else {
            (place - 1).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        }
    }

    private static func digits(of number: Int) -> Int {
        var bound = 10
        for digits in 1..<19 {
            if number < bound { return digits }
            bound = bound &* 10
        }
        return 19
    }
}
