internal import BoundedText
internal import CQREncode
package import SystemSupport

/// The QR code of a URL, in bytes (ISO/IEC 18004): dark and light modules, drawn as SVG or as text.
package struct QRCode: Sendable {
    /// The part of the symbol that may be unreadable: about 7, 15, 25 and 30 %.
    package enum Level: String, CaseIterable, Sendable {
        case low = "L"
        case medium = "M"
        case quartile = "Q"
        case high = "H"

        fileprivate var value: QRecLevel {
            switch self {
            case .low: QR_ECLEVEL_L
            case .medium: QR_ECLEVEL_M
            case .quartile: QR_ECLEVEL_Q
            case .high: QR_ECLEVEL_H
            }
        }
    }

    /// The longest URL, in bytes; each fits into a symbol of every level.
    package static let maxURLBytes = 1_000
    /// The light modules around a symbol that ISO/IEC 18004 asks for.
    static let quietZone = 4

    /// The modules on each side of the symbol, without the quiet zone.
    package let width: Int
    /// Row by row from the top.
    private let isDark: [Bool]

    /// - Parameter url: printable ASCII; nil is returned for one that is empty, too long or has a NUL.
    /// - Throws: that libqrencode is not on this machine.
    package init?(_ url: some Collection<UInt8>, level: Level = .medium) throws(MissingLibrary) {
        let functions = try QRLibrary.shared()
        guard !url.isEmpty, url.count <= Self.maxURLBytes, !url.contains(0) else { return nil }
        let text = url.map { CChar(bitPattern: $0) } + [0]
        guard let code = functions.pointee.encode_string_8bit(text, 0, level.value) else { return nil }
        defer { functions.pointee.free(code) }
        width = Int(code.pointee.width)
        // The lowest bit of each byte is the module; the others say what it is part of.
        isDark = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; those outside the symbol are not.
    package func isDark(column: Int, row: Int) -> Bool {
        (0..<width).contains(column) && (0..<width).contains(row) && isDark[row * width + column]
    }

    /// The modules on each side of the drawing, with the quiet zone.
    var side: Int { width + 2 * Self.quietZone }

    /// The dark modules as the data of an SVG path: each run in a row is a line through its middle, a module wide.
    var path: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * width * 3)
        for row in 0..<width {
            // The end of the run before, from which the next one in the row has a distance.
            var end: Int?
            var column = 0
            while column < width {
                guard isDark[row * width + column] else {
                    column += 1
                    continue
                }
                let start = column
                while column < width, isDark[row * width + column] { column += 1 }
                if let end {
                    bytes.append(UInt8(ascii: "m"))
                    Self.append(start - end, to: &bytes)
                    bytes += " 0h".utf8
                } else {
                    bytes.append(UInt8(ascii: "M"))
                    Self.append(start + Self.quietZone, to: &bytes)
                    bytes.append(UInt8(ascii: " "))
                    Self.append(row + Self.quietZone, to: &bytes)
                    bytes += ".5h".utf8
                }
                Self.append(column - start, to: &bytes)
                end = column
            }
        }
        return bytes
    }

    /// Numbers of up to three digits, of which a path has hundreds.
    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        if number >= 100 { bytes.append(UInt8(ascii: "0") + UInt8(number / 100)) }
        if number >= 10 { bytes.append(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// The code as an SVG image of its own, on a white background with the quiet zone.
    package var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" width="\(side * 8)" \
        height="\(side * 8)" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(side)v\(side)H0z"/>\
        <path stroke="#000" d="\(String(text: path))"/></svg>

        """
    }

    /// The code for a terminal: each character is two modules, one above the other, and light ones are drawn, since most
    /// terminals are dark; the quiet zone is part of it.
    package var text: String {
        let range = -Self.quietZone..<width + Self.quietZone
        var text = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            for column in range {
                let isBelowLight = row + 1 < range.upperBound && !isDark(column: column, row: row + 1)
                switch (!isDark(column: column, row: row), isBelowLight) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += "\n"
        }
        return text
    }
}

/// The QR code library, opened when a code is first drawn. Programs that draw none neither load nor need it.
package enum QRLibrary {
    /// Why no code can be drawn on this machine; nil where one can.
    package static var problem: MissingLibrary? {
        if case .failure(let missing) = opened { missing } else { nil }
    }

    static func shared() throws(MissingLibrary) -> c_qrencode_table { try opened.get() }

    private nonisolated(unsafe) static let opened = Result { () throws(MissingLibrary) in
        try OpenedLibrary.functions(
            "libqrencode.so.4", name: "libqrencode", package: "libqrencode4", into: c_qrencode()
        ) {
            c_qrencode_open($0, $1).map { String(cText: $0) }
        }
    }
}
