import CommandLineSupport
import Diagnostics
import DomainDoctor
import SystemSupport

/// The hosts that are named as targets, each once, with the URLs that were given for it.
struct DoctorTargets {
    /// More is not read from standard input, in bytes.
    private static let limit = 16 << 20

    private(set) var targets: [Target] = []
    private var indices: [Place: Int] = [:]
    private var reasons: [DoctorFailure.Reason] = []

    private struct Place: Hashable {
        let host: String
        let port: Int
    }

    /// - Parameters:
    ///   - arguments: `-` stands for the lines of standard input.
    ///   - allowsAddresses: Whether a host may be an IP address.
    /// - Throws: All that is wrong with them.
    init(_ arguments: [String], allowsAddresses: Bool) throws(DoctorFailure) {
        for argument in arguments {
            if argument == "-" {
                try readInput(allowsAddresses)
            } else {
                add(argument, allowsAddresses, line: nil)
            }
        }
        guard reasons.isEmpty else { throw DoctorFailure(.usage, reasons) }
        if targets.isEmpty, !arguments.isEmpty {
            throw DoctorFailure(.usage, "standard input contains no target; expected one per line")
        }
    }

    private mutating func readInput(_ allowsAddresses: Bool) throws(DoctorFailure) {
        let input: [UInt8]
        do throws(SystemError) {
            input = try InputFile.read("-", limit: Self.limit)
        } catch {
            throw DoctorFailure(.unreadableFile, "cannot read the targets from standard input: \(error.reason)")
        }
        guard input.count <= Self.limit else {
            throw DoctorFailure(.usage, "standard input has more than \(Self.limit >> 20) MiB of targets")
        }
        let source = SourceText(input, path: "")
        for number in 1...source.lineCount {
            let line = source.line(number).drop(while: Self.isSpace)
            guard let last = line.lastIndex(where: { !Self.isSpace($0) }), line.first != UInt8(ascii: "#") else {
                continue
            }
            add(String(decoding: line[...last], as: UTF8.self), allowsAddresses, line: number)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func add(_ text: String, _ allowsAddresses: Bool, line: Int?) {
        do throws(TargetError) {
            var target = try Target(text, allowsAddresses: allowsAddresses)
            // Whoever pastes the address of the file means the host.
            target.urls.removeAll { FileArgument($0).isFileOfHost }
            add(target)
        } catch {
            let place = line.map { "line \($0): " } ?? ""
            reasons.append(DoctorFailure.Reason("\(place)\(quoted(text, limit: 100)) \(error.clause)"))
        }
    }

    /// Several URLs of a host share one check of it.
    private mutating func add(_ target: Target) {
        let place = Place(host: target.host, port: target.port)
        guard let index = indices[place] else {
            indices[place] = targets.count
            return targets.append(target)
        }
        for url in target.urls where !targets[index].urls.contains(url) { targets[index].urls.append(url) }
    }

    /// The hosts that the app names, for a run without targets.
    init(appHosts: [String]) {
        for host in appHosts {
            guard var target = try? Target(host, allowsAddresses: false) else { continue }
            target.isNamedByUser = false
            add(target)
        }
    }
}
