import HTTPClient

/// A block of lines as libcurl hands them to their reader: each up to its line feed, the last one as it is.
struct HeaderReading {
    let head: ResponseHead?
    let problem: HeaderReader.Problem?
    let bytes: Int

    init(_ block: [UInt8], limit: Int) {
        var reader = HeaderReader(limit: limit)
        var problem: HeaderReader.Problem?
        var rest = block[...]
        while !rest.isEmpty, problem == nil {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            do throws(HeaderReader.Problem) {
                try Self.read(rest[..<end], &reader)
            } catch {
                problem = error
            }
            rest = rest[end...]
        }
        (head, self.problem, bytes) = (reader.head, problem, reader.bytes)
    }

    private static func read(
        _ line: ArraySlice<UInt8>, _ reader: inout HeaderReader
    ) throws(HeaderReader.Problem) {
        var problem: HeaderReader.Problem?
        line.withUnsafeBufferPointer { line in
            do throws(HeaderReader.Problem) {
                try reader.read(line)
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }
}

/// The rules that hold for every header that is read.
enum HeaderInvariants {
    /// Reads a block; returns what came of it, and what is wrong with that.
    static func check(_ block: [UInt8], limit: Int) -> (outcome: String, violation: String?) {
        let reading = HeaderReading(block, limit: limit)
        let violation =
            reading.head.flatMap { Self.violation(in: $0) } ?? differenceWithOtherEnds(block, reading, limit)
        switch reading.problem {
        case .tooLarge?:
            return ("too large", violation ?? (block.count > limit ? nil : "\(block.count) bytes are too large"))
        case .malformed?: return ("malformed", violation)
        case nil:
            return (
                reading.head == nil ? "incomplete" : "read",
                violation ?? (reading.bytes == block.count && block.count <= limit ? nil : "more than \(limit) bytes")
            )
        }
    }

    private static func violation(in head: ResponseHead) -> String? {
        guard head.status == 101 || 200...999 ~= head.status else { return "the status \(head.status)" }
        guard head.statusLine.starts(with: "HTTP/".utf8), !head.statusLine.contains(0x0A) else {
            return "the first line"
        }
        for field in head.fields {
            guard !field.name.isEmpty,
                field.name.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") })
            else { return "the name of a field" }
            let ends = [field.value.first, field.value.last]
            guard !ends.contains(0x20), !ends.contains(0x09), !field.value.contains(0x0A) else {
                return "the value of '\(String(decoding: field.name, as: UTF8.self))'"
            }
        }
        return nil
    }

    /// A line ends in a line feed, with or without a carriage return before it (RFC 9112, section 2.2).
    private static func differenceWithOtherEnds(_ block: [UInt8], _ reading: HeaderReading, _ limit: Int) -> String? {
        guard reading.problem == nil, let head = reading.head else { return nil }
        var other: [UInt8] = []
        other.reserveCapacity(block.count)
        for byte in block {
            // Of several carriage returns only the last one belongs to the end.
            if byte == 0x0A, other.last == 0x0D, other.dropLast().last != 0x0D { other.removeLast() }
            other.append(byte)
        }
        return HeaderReading(other, limit: limit).head == head ? nil : "another head where lines end in a line feed"
    }
}
