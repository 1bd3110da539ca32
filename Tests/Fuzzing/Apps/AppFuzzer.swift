import Android
import AppProjects
import AppSamples
import AppSiteAssociation
import Diagnostics
import FuzzingSupport
import Glibc
import URLPatterns

/// The reader that gets the inputs.
package enum AppFuzzTarget: String, CaseIterable, Sendable {
    case entitlements, binary, profile, archive, executable, project, expo, manifest, entry

    /// The target of an input where all have their turn.
    package static func of(_ number: Int) -> AppFuzzTarget { allCases[number % allCases.count] }
}

/// Gives mutated files to the readers of the app's side, and judges what they have read.
package struct AppFuzzer {
    private let seed: UInt64
    private let path: String
    private let seeds: [AppFuzzTarget: [[UInt8]]]
    private let document: AssociationDocument
    private let hosts: [HostName]
    private let link: AndroidLink
    /// The number of times that each answer came up.
    package private(set) var outcomes: [String: Int] = [:]

    /// - Parameter folder: Where the input is written, as a file or as the folder of an app or project.
    package init(seed: UInt64, folder: String) throws {
        self.seed = seed
        path = "\(folder)/app-fuzz"
        seeds = AppSeeds.all
        document = try AssociationDocument(
            #"{"applinks":{"details":[{"appIDs":["\#(SampleApp.appID)"],"components":[{"/":"*"}]}]}}"#)
        hosts = ["www.example.com", "example.com"].compactMap { HostName($0) }
        guard let link = AndroidLink("https://www.example.com/buy/7") else { throw AppFuzzError() }
        self.link = link
    }

    private struct AppFuzzError: Error {}

    /// Checks an input, which depends on nothing but its number and the seed; returns what is wrong with the answer.
    package mutating func check(_ target: AppFuzzTarget, _ number: Int) throws -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD129_0B26_8DEB_2B35)
        let bytes = AppMutator.mutated(random.pick(seeds[target] ?? [[]]), target, &random)
        try write(bytes)
        let start = ThreadTime.nanoseconds
        var violation: String?
        do throws(AppProjectError) {
            let project = try AppProject.read(path)
            outcomes["\(target.rawValue) read", default: 0] += 1
            violation = judge(project)
            if target == .manifest, violation == nil {
                violation = judge(manifest: bytes, api: random.pick([30, 34, 35]))
            }
        } catch {
            outcomes["\(target.rawValue) refused", default: 0] += 1
            violation = Self.violation(in: error)
        }
        let time = ThreadTime.nanoseconds - start
        if violation == nil, time > 2_000_000_000 { violation = "took \(time / 1_000_000) ms" }
        return violation.map { "\(target.rawValue), \(bytes.count) bytes in \(path): \($0)" }
    }

    private func write(_ bytes: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw AppFuzzError() }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw AppFuzzError() }
    }

    private func judge(_ project: AppProject) -> String? {
        let checks = AppChecks([project])
        var findings = checks.findings(now: 1_795_262_400) + checks.findings(for: link)
        for host in hosts + checks.hosts.prefix(3) {
            findings += checks.findings(for: host, isTarget: true)
            findings += checks.findings(for: host, document, file: "https://\(host.ascii)/file")
        }
        for finding in findings {
            if !(AppRules.all + ManifestRules.all).contains(where: finding.diagnostic.is) { return "no such code" }
            if let violation = Self.violation(in: finding.diagnostic.message) { return violation }
            guard let source = finding.source else { continue }
            let ranges = [finding.diagnostic.range] + finding.diagnostic.labels.map(\.range)
            for range in ranges where range.start < 0 || range.end < range.start || range.end > source.bytes.count {
                return "\(finding): the range \(range) is outside of \(source.bytes.count) bytes"
            }
            for edit in finding.diagnostic.fixIts.flatMap(\.edits) where edit.replacement.contains("<") {
                return "\(finding): the fix has markup"
            }
        }
        return nil
    }

    /// Judges the findings and verdicts about a manifest that could be read.
    private mutating func judge(manifest bytes: [UInt8], api: Int) -> String? {
        guard let file = try? ManifestFile(bytes, path: path) else { return nil }
        for finding in ManifestChecker.findings(in: file.root, minimumAPI: api) {
            if let violation = Self.violation(in: finding.message) { return violation }
            if !ManifestRules.all.contains(where: finding.is) { return "no such code" }
            let ranges = [finding.range] + finding.labels.map(\.range)
            for range in ranges where range.start < 0 || range.end < range.start || range.end > file.source.bytes.count
            {
                return "\(finding.message): the range \(range) is outside of \(file.source.bytes.count) bytes"
            }
        }
        for values in [BuildValues(), BuildValues(["a": "www.example.com"])] {
            let manifest = AppManifest(file.root, api: api, values: values)
            let verdict = manifest.verdict(on: link)
            outcomes["verdict \(verdict.decision)", default: 0] += 1
            if verdict.decision != .no, verdict.filter == nil { return "a filter takes the link, and none is named" }
            var budget = WorkBudget.decision
            let evaluations = manifest.evaluations(of: link, &budget)
            if verdict.isTooLarge || budget.isSpent || evaluations.count >= 1_000 { continue }
            let explained = Decision.any(evaluations.map(\.decision))
            if explained != verdict.decision { return "\(verdict.decision), but explained as \(explained)" }
            if verdict.decision == .undecided, verdict.unresolved == nil { return "no value is named" }
            for evaluation in evaluations {
                if let violation = Self.violation(in: evaluation.reason) { return violation }
            }
        }
        return nil
    }

    private static func violation(in error: AppProjectError) -> String? {
        if error.code == .missingLibrary { return error.description }
        return violation(in: error.message)
    }

    private static func violation(in text: String) -> String? {
        if text.isEmpty || text.hasSuffix(".") { return "the message '\(text)'" }
        return text.unicodeScalars.contains { $0.value < 0x20 } ? "a message with control characters" : nil
    }
}

/// Whole files, from which the mutated ones are made.
private enum AppSeeds {
    private static let entries = [
        "applinks:www.example.com", "webcredentials:*.example.com?mode=developer", "applinks:https://example.com/a:1",
    ]
    private static let executable = SampleExecutable(
        Array(SampleApp.entitlements(entries, appID: SampleApp.appID).utf8))

    private static var deflatedArchive: SampleArchive {
        var archive = SampleArchive()
        archive.add("Payload/Shop.app/Info.plist", .zeros(0, after: SampleApp.info()))
        archive.add("Payload/Shop.app/Shop", .zeros(2_000, after: executable.bytes))
        archive.add("Payload/Shop.app/embedded.mobileprovision", .zeros(0, after: SampleApp.profile()))
        return archive
    }

    static var all: [AppFuzzTarget: [[UInt8]]] {
        let xml = SampleApp.entitlements(entries, appID: SampleApp.appID)
        let filters = [
            #"<data android:scheme="https" android:host="www.example.com" android:pathPattern="/b.*\\.x" />"#,
            #"<data android:scheme="http" /><data android:host="*.example.com" android:port="80" android:path="/" />"#,
            #"<data android:scheme="https" android:host="${a}" android:pathAdvancedPattern="/[a-z\\]+[^0-9]{1,3}.*" />"#,
            #"""
            <data android:scheme="https" android:host="@string/a" /><uri-relative-filter-group android:allow="false">
            <data android:queryAdvancedPattern="a=[^&amp;]*" android:fragmentPattern=".*x" /></uri-relative-filter-group>
            <uri-relative-filter-group><data android:pathSuffix="7" android:query="" /></uri-relative-filter-group>
            """#,
        ]
        return [
            .entitlements: [Array(xml.utf8), Array(SampleApp.profileList().utf8)],
            .binary: [
                SamplePropertyList.dictionary([
                    ("application-identifier", .string(SampleApp.appID)),
                    (
                        "com.apple.developer.associated-domains",
                        .array(entries.map { .string($0) } + [.string("applinks:bücher.example")])
                    ),
                ]).bytes,
                SamplePropertyList.dictionary([
                    ("Entitlements", .dictionary([("application-identifier", .string("A.*"))])),
                    ("ExpirationDate", .date(1)),
                ]).bytes,
            ],
            .profile: [SampleApp.profile()],
            .archive: [SampleApp.archive(executable: executable.bytes).bytes, deflatedArchive.bytes],
            .executable: [executable.bytes, SampleExecutable.fat([executable, executable])],
            .project: [
                Array(
                    SampleApp.project([
                        .init(
                            "Shop", "Debug",
                            [
                                ("CODE_SIGN_ENTITLEMENTS", "$(X)/a"), ("PRODUCT_BUNDLE_IDENTIFIER", "com.shop"),
                                ("DEVELOPMENT_TEAM", "T"),
                            ])
                    ]).utf8),
                Array(
                    SampleApp.project(
                        [
                            .init(
                                "Shop", "Debug",
                                [
                                    ("CODE_SIGN_ENTITLEMENTS", "$(X:default=app-fuzz)"), ("A", "$(B)$(A_$(B))"),
                                    ("PRODUCT_BUNDLE_IDENTIFIER", "$(A:lower:rfc1034identifier).${TARGET_NAME}$$"),
                                    ("DEVELOPMENT_TEAM[sdk=iphone*][config=Deb?g]", "$(inherited)T"), ("B", "$(A)b"),
                                ], file: "Config/Shop.xcconfig")
                        ], inherited: [("DEVELOPMENT_TEAM", "$()"), ("A_b", "$A")]
                    ).utf8),
            ],
            .expo: [
                Array(
                    """
                    {"expo":{"ios":{"bundleIdentifier":"a.b","appleTeamId":"T","associatedDomains":["applinks:a.com"]},
                    "android":{"package":"a.b","intentFilters":[{"action":"VIEW","category":["BROWSABLE"],
                    "data":[{"scheme":"https","host":"*.example.com","pathPrefix":"/b"}]}]}}}
                    """.utf8)
            ],
            .manifest: [Array(SampleApp.manifest(filters.map { SampleApp.filter($0) }).utf8)],
            .entry: [Array("applinks:www.example.com".utf8), Array("webcredentials:*.a.b?mode=developer".utf8)],
        ]
    }
}

/// Makes files that are almost right.
private enum AppMutator {
    /// The words that mean something to one of the readers.
    private static let words = [
        "applinks:", "https://", "?mode=developer", "*.", "$(X)", "$(A:", "$(inherited)", ":default=", "[sdk=*]",
        "<string>", "</string>", "<array>", "</array>",
        "<dict>",
        "<key>", "<![CDATA[", "]]>", "<!--", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;", "&#0;", "&amp;", "{", "}", "(",
        ")", "=",
        ";", "\"", "\\", "/*", "*/", "//", "[", "]", ",", ":", "@", "${a}", "@string/a", "\u{202E}", "\u{0}", "ü",
        "bplist00",
        "android:pathPattern=\".*\\\\*\"", "android:pathAdvancedPattern=\"[^-]{2,}\"", "tools:node=\"remove\"",
        "<uri-relative-filter-group android:allow=\"false\">", "</uri-relative-filter-group>", "android:host=\"*\"",
        "isa = XCBuildConfiguration;", "PK\u{1}\u{2}",
    ]

    static func mutated(_ seed: [UInt8], _ target: AppFuzzTarget, _ random: inout SplitMix64) -> [UInt8] {
        var bytes = seed
        for _ in 0..<random.number(0...4) where !bytes.isEmpty {
            let offset = random.number(below: bytes.count)
            switch random.number(below: 9) {
            case 0: bytes[offset] = random.byte()
            case 1: bytes[offset] ^= 1 << UInt8(random.number(below: 8))
            case 2: bytes.insert(random.byte(), at: offset)
            case 3: bytes.removeSubrange(offset..<min(bytes.count, offset + 1 + random.number(below: 16)))
            case 4: bytes.insert(contentsOf: random.pick(words).utf8, at: offset)
            case 5: bytes.removeSubrange(offset...)
            case 6:
                let end = min(bytes.count, offset + 1 + random.number(below: 64))
                bytes.insert(contentsOf: bytes[offset..<end], at: random.number(below: bytes.count))
            case 7: bytes[offset] = random.pick([0, 0x7F, 0x80, 0xFF])
            default:
                // Numbers of four bytes, as offsets and lengths are.
                let number = SamplePropertyList.big(
                    random.pick([0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, bytes.count, 65_536]), 4)
                bytes.replaceSubrange(offset..<min(bytes.count, offset + 4), with: number)
            }
        }
        switch target {
        case .entry:
            let text = String(decoding: bytes, as: UTF8.self).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            return Array(SampleApp.entitlements([text]).utf8)
        case .executable: return SampleApp.archive(executable: bytes).bytes
        case .profile where random.chance(50): return SampleApp.signed(bytes)
        default: return bytes
        }
    }
}
