/// The patterns of a component as a list of numbers, for comparing without any reference.
///
/// A pattern is a list of steps: a code, and what belongs to it. The path comes first, then the number of items of the query
/// and their patterns, then whether there is a fragment, and its pattern.
struct DynamicProgram {
    private var position: UnsafeMutablePointer<UInt16>

    private enum Code {
        static let end: UInt16 = 0
        /// Followed by a length and so many units.
        static let literal: UInt16 = 1
        /// Followed by the number of units.
        static let any: UInt16 = 2
        /// Followed by the unit.
        static let skip: UInt16 = 3
        static let rest: UInt16 = 4
    }

    init(_ start: UnsafeMutablePointer<UInt16>) {
        position = start
    }

    static func append(_ component: DynamicComponent, to program: inout [UInt16]) {
        append(component.path?.steps ?? [.rest], to: &program)
        program.append(UInt16(truncatingIfNeeded: component.query.count))
        program.append(UInt16(truncatingIfNeeded: component.query.count >> 16))
        for item in component.query { append(item.pattern.steps, to: &program) }
        program.append(component.fragment == nil ? 0 : 1)
        if let fragment = component.fragment { append(fragment.steps, to: &program) }
    }

    private static func append(_ steps: [AndroidPattern.Step], to program: inout [UInt16]) {
        var literal: [UInt16] = []
        var wildcards = 0
        func flush() {
            if !literal.isEmpty { program += [Code.literal, UInt16(literal.count)] + literal }
            if wildcards > 0 { program += [Code.any, UInt16(wildcards)] }
            literal = []
            wildcards = 0
        }
        for step in steps {
            switch step {
            case .unit(let unit):
                if wildcards > 0 || literal.count == Int(UInt16.max) { flush() }
                literal.append(unit)
            case .any:
                if !literal.isEmpty || wildcards == Int(UInt16.max) { flush() }
                wildcards += 1
            case .skip(let unit):
                flush()
                program += [Code.skip, unit]
            case .rest:
                flush()
                program.append(Code.rest)
            }
        }
        flush()
        program.append(Code.end)
    }

    /// Whether the pattern here covers a text, of UTF-16 units or of the bytes of ASCII; then the program is behind it.
    mutating func matches<Unit: FixedWidthInteger & UnsignedInteger>(_ text: UnsafeBufferPointer<Unit>) -> Bool {
        var offset = 0
        while true {
            switch position[0] {
            case Code.literal:
                let count = Int(position[1])
                guard text.count - offset >= count else { return false }
                guard Self.isEqual(text, offset, position + 2, count) else { return false }
                offset += count
                position += 2 + count
            case Code.any:
                offset += Int(position[1])
                guard offset <= text.count else { return false }
                position += 2
            case Code.skip:
                let wanted = position[1]
                while offset < text.count, UInt16(truncatingIfNeeded: text[offset]) != wanted { offset += 1 }
                guard offset < text.count else { return false }
                offset += 1
                position += 2
            case Code.rest:
                // The end follows.
                position += 2
                return true
            default:
                position += 1
                return offset == text.count
            }
        }
    }

    /// Whether so many units of a text from an offset are these, four at a time, or each byte is.
    @inline(__always)
    private static func isEqual<Unit: FixedWidthInteger & UnsignedInteger>(
        _ text: UnsafeBufferPointer<Unit>, _ offset: Int, _ units: UnsafePointer<UInt16>, _ count: Int
    ) -> Bool {
        guard let start = text.baseAddress else { return count == 0 }
        guard MemoryLayout<Unit>.size == 2 else {
            for index in 0..<count where UInt16(truncatingIfNeeded: start[offset + index]) != units[index] {
                return false
            }
            return true
        }
        let (left, right) = (UnsafeRawPointer(start + offset), UnsafeRawPointer(units))
        let end = 2 &* count
        var index = 0
        while index &+ 8 <= end {
            let one = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard one == right.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
            index &+= 8
        }
        while index < end {
            let one = left.loadUnaligned(fromByteOffset: index, as: UInt16.self)
            guard one == right.loadUnaligned(fromByteOffset: index, as: UInt16.self) else { return false }
            index &+= 2
        }
        return true
    }

    /// Passes over the pattern here.
    private mutating func skip() {
        while position[0] != Code.end {
            switch position[0] {
            case Code.literal: position += 2 + Int(position[1])
            case Code.rest: position += 1
            default: position += 2
            }
        }
        position += 1
    }

    /// Whether the conditions behind the path are met.
    mutating func matchesConditions(_ url: inout ScannedAndroidURL) -> Bool {
        let items = Int(position[0]) | Int(position[1]) << 16
        position += 2
        for _ in 0..<items {
            let start = position
            var isMet = false
            url.forEachItem { item in
                position = start
                isMet = matches(item)
                return !isMet
            }
            guard isMet else { return false }
            position = start
            skip()
        }
        let hasFragment = position[0] == 1
        position += 1
        guard hasFragment else { return true }
        guard let fragment = url.fragment else { return false }
        return matches(fragment)
    }
}
