internal import BoundedText
internal import Diagnostics
internal import URLPatterns

// Schemes, hosts and ports that match nothing.
extension ManifestChecker {
    mutating func checkScheme(_ attribute: XMLElement.Attribute, of filter: WrittenFilter) {
        guard let scheme = known(attribute) else { return }
        let plain = WrittenFilter.plain(scheme: scheme)
        guard scheme != plain || scheme.isEmpty else { return }
        let isCase = scheme.lowercased() == plain
        // Codes to scan are in capitals, and apps that have such links write both.
        let isMeant =
            filter.schemes.contains { $0.value == plain } || scheme == plain.uppercased() && !LinkFilter.isForWeb(plain)
        guard scheme.isEmpty || !isCase || !isMeant else { return }
        // A scheme of the app's own can be written so by the app that starts the other one.
        report(
            .manifestSchemeForm, as: isCase && !LinkFilter.isForWeb(plain) ? .warning : .error, attribute,
            isCase && !scheme.isEmpty
                ? "the scheme \(quoted(scheme)) has capital letters, and that of a link has none"
                : scheme.isEmpty ? "the scheme is empty" : "the scheme \(quoted(scheme)) has more in it than a scheme",
            advice: plain.isEmpty ? "write 'https', or remove the <data>" : "write \(quoted(plain))")
    }

    /// Whether a host is a name in DNS that others can ask for.
    func isDomain(_ host: String) -> Bool {
        guard host.utf8.count <= Self.maxHostBytes else { return false }
        let name = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
        return name.contains(".") && HostName(name).map { !Self.isAddress($0) } ?? false
    }

    private static func isAddress(_ host: HostName) -> Bool {
        host.isAddress || host.ascii.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }

    /// Checks the host and the port of a `<data>`.
    mutating func checkHost(of element: XMLElement, _ filter: WrittenFilter) {
        if let host = tree.attribute("host", of: element) { checkHost(host, filter) }
        guard let port = tree.attribute("port", of: element), let value = values.value(of: port.value) else { return }
        let number = Int(value)
        let usual = filter.schemes.allSatisfy { $0.value == "http" } ? 80 : 443
        if number.map((1...65_535).contains) != true {
            report(
                .manifestHostForm, port, "the port \(quoted(value)) is not a number from 1 to 65535",
                advice: "write the number, or remove the attribute")
        } else if number == usual {
            report(
                .manifestHostForm, as: .warning, port,
                "the port \(usual) is compared with the text of a link, and links do not write it",
                advice: "remove the attribute")
        }
    }

    /// More bytes than a host can have: what has more is not looked at any closer.
    private static let maxHostBytes = 1_024

    private mutating func checkHost(_ attribute: XMLElement.Attribute, _ filter: WrittenFilter) {
        guard let host = known(attribute) else { return }
        guard host.utf8.count <= Self.maxHostBytes else {
            return self.report(
                .manifestHostForm, attribute, "\(quoted(host)) is not the name of a host, so no link has it",
                advice: HostAdvice.unknown)
        }
        let problem: String? =
            if host.contains("://") {
                "a scheme"
            } else if host.contains("/") {
                "a slash"
            } else if host.unicodeScalars.contains(where: \.properties.isWhitespace) {
                "white space"
            } else if host.contains(":"), !host.hasPrefix("[") {
                "a port"
            } else {
                nil
            }
        let isVerified = filter.asksForVerification == .yes
        let notes = isVerified ? unverifiedNotes : []
        func report(_ message: String, _ advice: String) {
            self.report(.manifestHostForm, attribute, message, advice: advice, notes: notes)
        }
        let name = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
        let advice = HostAdvice(host).text
        if host.isEmpty {
            report("the host is empty", "write a host, or remove the attribute")
        } else if let problem {
            report("the host \(quoted(host)) has \(problem) in it", advice)
        } else if host != "*", name.contains("*") {
            report(
                "'*' is not the first label of the host \(quoted(host))",
                "write '*.' before the name of a host, or list the hosts")
        } else if host == "*" {
            return
        } else if name.hasPrefix(".") || name.hasSuffix(".") {
            report(
                "the host \(quoted(host)) \(name.hasPrefix(".") ? "begins" : "ends") with a dot, so no link has it",
                name.hasPrefix(".")
                    ? "write \(quoted(HostAdvice.bare(name))), or \(quoted("*." + HostAdvice.bare(name)))" : advice)
        } else if let known = HostName(name), HostAdvice.isName(name) {
            if Self.isAddress(known) {
                guard isVerified else { return }
                report(
                    "the host \(quoted(host)) is an address, and Android verifies names", "write the name of the host")
            } else if !name.utf8.allSatisfy({ $0 < 0x80 }) {
                report(
                    "the host \(quoted(host)) is not in Punycode, and that of a link is",
                    "write \(quoted((host == name ? "" : "*.") + known.ascii))")
            }
        } else {
            report("\(quoted(host)) is not the name of a host, so no link has it", advice)
        }
    }
}

/// The host that was probably meant by a value with more in it.
private struct HostAdvice {
    let text: String

    init(_ host: String) {
        var rest = host[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.drop { $0.isWhitespace }
        let written = rest.prefix { $0 != "/" && $0 != ":" && !$0.isWhitespace }
        let port = rest.dropFirst(written.count)
        let number = port.first == ":" ? port.dropFirst().prefix { $0.isASCII && $0.isNumber } : ""
        let name = Self.bare(written)
        guard HostName(name.hasPrefix("*.") ? String(name.dropFirst(2)) : name) != nil, Self.isName(name) else {
            text = Self.unknown
            return
        }
        text = "write \(quoted(name))" + (number.isEmpty ? "" : ", and android:port=\"\(number)\"")
    }

    static let unknown = "write the host alone, as in 'shop.example'"

    /// Whether there is more in a name than marks.
    static func isName(_ name: String) -> Bool { name.utf8.contains { !"_-.*".utf8.contains($0) } }

    /// A name without what is around it.
    static func bare(_ name: some StringProtocol) -> String {
        let marks: Set<Unicode.Scalar> = [".", "<", ">", "\"", "'", "(", ")", "[", "]", "{", "}"]
        let front = name.unicodeScalars.drop { marks.contains($0) }
        return String(scalars: front.reversed().drop { marks.contains($0) }.reversed())
    }
}
