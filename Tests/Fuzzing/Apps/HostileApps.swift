import Android
import AppProjects
import AppSamples
import AppSiteAssociation
import FuzzingSupport
import Glibc
import PushSamples
import URLPatterns

/// Files that are made to take long, or much memory: one of a kind as large as it may be.
package struct HostileApps {
    /// A file, and what it is.
    package struct Case: Sendable {
        package let name: String
        package let bytes: @Sendable () -> [UInt8]
    }

    /// The most CPU time of one of them (docs/spec/doctor.md, section 9).
    private static let nanoseconds = 2_000_000_000
    private static let kibibytes = 200 << 10

    private let path: String
    /// The cost of the latest one: nanoseconds of CPU time, and KiB.
    package private(set) var latest = (0, 0)
    package private(set) var slowest = (nanoseconds: 0, name: "")
    package private(set) var largest = (kibibytes: 0, name: "")

    /// - Parameter folder: Where the files are written.
    package init(folder: String) { path = "\(folder)/app-fuzz" }

    /// Reads a file and judges it; says what took too much.
    package mutating func check(_ file: Case) throws -> String? {
        try write(file.bytes())
        PeakMemory.reset()
        let time = ThreadTime.least(limit: Self.nanoseconds) {
            do throws(AppProjectError) { judge(try AppProject.read(path)) } catch {}
        }
        let memory = PeakMemory.kibibytes
        latest = (time, memory)
        if time > slowest.nanoseconds { slowest = (time, file.name) }
        if memory > largest.kibibytes { largest = (memory, file.name) }
        if time > Self.nanoseconds { return "\(file.name): \(time / 1_000_000) ms of CPU time" }
        return memory > Self.kibibytes ? "\(file.name): \(memory >> 10) MiB of memory" : nil
    }

    private func judge(_ project: AppProject) {
        let checks = AppChecks([project])
        _ = checks.findings(now: 0)
        if let link = AndroidLink("https://www.example.com/\(String(repeating: "a", count: 2_000))") {
            _ = checks.findings(for: link)
        }
        for host in ["www.example.com", "a.b.example.com"].compactMap({ HostName($0) }) + checks.hosts.prefix(3) {
            _ = checks.findings(for: host, isTarget: true)
        }
    }

    private struct WriteError: Error {}

    private func write(_ bytes: [UInt8]) throws {
        guard let file = fopen(path, "w") else { throw WriteError() }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw WriteError() }
    }
}

extension HostileApps {
    package static let cases = texts + propertyLists + projects + archives

    private static let largestFile = 4 << 20
    private static let largestProject = 16 << 20

    /// A text of a size, filled with a unit, which gets its number for `#`.
    private static func filled(_ start: String, _ unit: String, _ end: String, _ size: Int = largestFile) -> [UInt8] {
        var bytes = Array(start.utf8)
        let parts = unit.split(separator: "#", omittingEmptySubsequences: false).map { Array($0.utf8) }
        var number = 0
        while bytes.count + unit.utf8.count + 8 * parts.count + end.utf8.count < size {
            for (index, part) in parts.enumerated() {
                if index > 0 { bytes += Array(String(number).utf8) }
                bytes += part
            }
            number += 1
        }
        return bytes + end.utf8
    }

    private static func text(
        _ name: String, _ start: String, _ unit: String, _ end: String, size: Int = largestFile
    ) -> Case {
        Case(name: name) { filled(start, unit, end, size) }
    }

    private static let list = "<plist><dict><key>com.apple.developer.associated-domains</key><array>"
    private static let listEnd = "</array></dict></plist>"
    private static let filter =
        #"<intent-filter><action android:name="android.intent.action.VIEW"/><category "#
        + #"android:name="android.intent.category.DEFAULT"/><category android:name="android.intent.category.BROWSABLE"/>"#
        + #"<data android:scheme="https"/><data android:host="www.example.com"/>"#
    private static let manifest = "<manifest><application><activity>"
    private static let manifestEnd = "</activity></application></manifest>"

    private static let texts: [Case] = [
        text("brackets of JSON", #"{"expo":"#, "[", ""), text("objects of JSON", #"{"expo":"#, #"{"a":"#, ""),
        text("lists of JSON", #"{"expo":["#, "[],", "1]}"), text("numbers of JSON", #"{"expo":["#, "1,", "1]}"),
        text("members of JSON", #"{"expo":{"#, ##""#":1,"##, #""a":1}}"#),
        text("keys of JSON", #"{"expo":{"#, #""a":"#, "}}"), text("colons", #"{"expo":{"#, ":", "}}"),
        text("mistakes of JSON", #"{"expo":{"#, "'", "}}"), text("comments of JSON", #"{"expo":{"#, "/*", "}}"),
        text("marks in JSON", #"{"expo":{""#, "\u{301}\u{323}", #"":1}}"#),
        text("marks in XML", "\(list)<string>applinks:", "&#x301;&#x323;", "</string>\(listEnd)"),
        text(
            "marks in a host", "\(manifest)\(filter)<data android:host='", "\u{301}\u{323}",
            "'/></intent-filter>\(manifestEnd)"),
        text("escapes of JSON", #"{"expo":{"ios":{"bundleIdentifier":""#, #"\u0061"#, #""}}}"#),
        text(
            "domains of Expo", #"{"expo":{"ios":{"associatedDomains":["#, #""applinks:https://a#.example","#,
            #""b"]}}}"#),
        text("tiny elements", list, "<a/>", listEnd), text("nested elements", list, "<a>", ""),
        text("entities", "\(list)<string>", "&lt;", "</string>\(listEnd)"),
        text("sections", "\(list)<string>", "<![CDATA[]]>a", "</string>\(listEnd)"),
        text("attributes", "<plist ", "a#='' ", "/>"), text("lines", "<plist>", "a\n", "</plist>"),
        text("comments", "<plist>", "<!---->", "</plist>"),
        text("declarations", "<!DOCTYPE a [", "<!ELEMENT a# (b|c)*>", "]><a/>"),
        text("domains", list, "<string>applinks:a#.example?mode=developer</string>", listEnd),
        Case(name: "domains of the longest kind") {
            let label = String(repeating: "ü:", count: 330)
            let entries = (0..<3_900).map { "<string>applinks:\(label)/\($0)</string>" }
            return Array((list + entries.joined() + listEnd).utf8)
        },
        Case(name: "5,000 domains for development") {
            let entries = (0..<5_000).map { number in
                "<string>applinks:\(number % 2 == 0 ? "" : "*.")a.a.a.a.a.a.a.a.a\(number).example\(number % 3 == 0 ? "?mode=developer" : "")</string>"
            }
            return Array((list + entries.joined() + listEnd).utf8)
        },
        text(
            "filters", manifest, "\(filter)<data android:host='#.example.com'/></intent-filter>", manifestEnd,
            size: 2 << 20),
        text(
            "paths", manifest + filter, "<data android:pathPattern='/.*a*a*.*.*'/>", "</intent-filter>\(manifestEnd)",
            size: 2_000_000),
        text("as many elements as there may be", list, "<a/>", listEnd, size: 399_000),
        Case(name: "a pattern") {
            let pattern = String(repeating: ".*a", count: 1 << 20)
            return Array(
                "\(manifest)\(filter)<data android:pathPattern='/\(pattern)'/></intent-filter>\(manifestEnd)".utf8)
        },
        Case(name: "wide text") {
            filled("", "<a/>", "").flatMap { [$0, 0] }.prefix(largestFile).map { $0 }
        },
    ]

    private static let key = Array("com.apple.developer.associated-domains".utf8)

    /// A binary list with 0 as the root, which has the key 1 with the value 2.
    private static func binary(_ value: [UInt8], _ others: [[UInt8]]) -> [UInt8] {
        let head = SamplePropertyList.head(0x5, key.count)
        return SamplePropertyList.file([SamplePropertyList.head(0xD, 1) + [0, 1, 0, 2], head + key, value] + others)
    }

    private static func array(of count: Int, _ number: Int) -> [UInt8] {
        let reference = SamplePropertyList.big(number, 2)
        return SamplePropertyList.head(0xA, count) + [[UInt8]](repeating: reference, count: count).joined()
    }

    private static let propertyLists: [Case] = [
        Case(name: "a dictionary with a million keys") {
            // References of one byte, all of them to the same long key, which is not one of those that are asked for.
            let count = (largestFile - 1_024) / 2
            let almost = Array("com.apple.developer.associated-domainX".utf8)
            let root = SamplePropertyList.head(0xD, count) + [UInt8](repeating: 1, count: 2 * count)
            var bytes = Array("bplist00".utf8)
            let offsets = [bytes.count, bytes.count + root.count]
            bytes += root + SamplePropertyList.head(0x5, almost.count) + almost
            let table = bytes.count
            for offset in offsets { bytes += SamplePropertyList.big(offset, 4) }
            bytes += [0, 0, 0, 0, 0, 0, 4, 1] + SamplePropertyList.big(2, 8) + SamplePropertyList.big(0, 8)
            return bytes + SamplePropertyList.big(table, 8)
        },
        Case(name: "an array of arrays") {
            binary(array(of: 10, 3), (0..<60).map { array(of: 5_000, $0 + 4) } + [[0xA0]])
        },
        Case(name: "one long string many times") {
            let long = SamplePropertyList.head(0x6, 1_024) + [[UInt8]](repeating: [0x20, 0xAC], count: 1_024).joined()
            return binary(array(of: 5_000, 3), [long])
        },
        Case(name: "signed data with tiny values") {
            // An attribute of a signer with values of two bytes.
            let values = [[UInt8]](repeating: [0x04, 0x00], count: 500_000).joined()
            let attribute = DER.sequence(DER.oid("1.2.3"), DER.element(0x31, Array(values)))
            let digest = DER.sequence(DER.oid("1.2.3"))
            let signer = DER.sequence(
                DER.integer(3), DER.element(0x80, [1]), digest, DER.tagged(0, attribute), digest, DER.octets([1]))
            return signed(DER.set(of: []), signers: DER.set(of: [signer]))
        },
        Case(name: "signed data with tiny algorithms") {
            let algorithms = [[UInt8]](repeating: [0x30, 0x03, 0x06, 0x01, 0x2A], count: 200_000).joined()
            return signed(DER.element(0x31, Array(algorithms)))
        },
        Case(name: "signed data of 4 MiB") { SampleApp.signed([UInt8](repeating: 0x20, count: largestFile - 100)) },
        Case(name: "signed data that says it is longer than anything") {
            [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF] + Array(SampleApp.profile().dropFirst(4))
        },
        Case(name: "nested signed data") {
            [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
                + [[UInt8]](repeating: [0xA0, 0x80], count: 400_000).joined()
        },
    ]

    /// Signed data with these sets of digest algorithms and signers.
    private static func signed(_ set: [UInt8], signers: [UInt8] = DER.set(of: [])) -> [UInt8] {
        let data = DER.sequence(DER.oid("1.2.840.113549.1.7.1"), DER.tagged(0, DER.octets([0x41])))
        let content = DER.sequence(DER.integer(1), set, data, signers)
        return DER.sequence(DER.oid("1.2.840.113549.1.7.2"), DER.tagged(0, content))
    }

    private static func project(_ name: String, _ start: String, _ unit: String, _ end: String) -> Case {
        Case(name: name) { filled("// !$*UTF8*$!\n\(start)", unit, end, largestProject) }
    }

    private static let projects: [Case] = [
        project("brackets of a project", "", "{a=", ""), project("lists of a project", "{a=(", "(),", ");}"),
        project("elements of a project", "{objects={a={isa=XCConfigurationList;buildConfigurations=(", "a,", ");};};}"),
        project(
            "settings", "{objects={a={isa=XCBuildConfiguration;buildSettings={", "CODE_SIGN_ENTITLEMENTS[#]=a;",
            "};};};}"),
        project("other settings", "{objects={a={isa=XCBuildConfiguration;buildSettings={", "a#=b;", "};};};}"),
        project("objects", "{objects={", "a#={isa=XCBuildConfiguration;};", "};}"),
        project("other objects", "{objects={", "a#={isa=A;name=b;};", "};}"),
        project("members", "{", "a#=b;", "}"), project("a string", "{a=\"", "\\U12", "\";}"),
        project("comments of a project", "{", "/**/", "}"), project("blanks", "{", " ", "}"),
        project("line comments", "{", "//\n", "}"),
        Case(name: "settings that double with each reference, of many configurations") {
            let settings = (0..<60).map { "A\($0)=\"$(A\($0 + 1))$(A\($0 + 1))\";" }.joined()
            return filled(
                "// !$*UTF8*$!\n{objects={c={isa=XCBuildConfiguration;buildSettings={CODE_SIGN_ENTITLEMENTS=\"$(A0)\";\(settings)};};l={isa=XCConfigurationList;buildConfigurations=(c);};",
                "t#={isa=ATarget;name=n#;buildConfigurationList=l;};", "};}", 1 << 18)
        },
        Case(name: "conditions of one setting") {
            let star = String(repeating: "*a", count: 200)
            return filled(
                "// !$*UTF8*$!\n{objects={l={isa=XCConfigurationList;buildConfigurations=(c);};t={isa=ATarget;buildConfigurationList=l;};c={isa=XCBuildConfiguration;buildSettings={",
                "\"SDKROOT[config=\(star)#]\"=a;", "};};};}", largestProject)
        },
        Case(name: "groups within groups") {
            filled(
                "// !$*UTF8*$!\n{objects={c={isa=XCBuildConfiguration;baseConfigurationReference=g0;};",
                "g#={isa=PBXGroup;path=aaaaaaaaaaaaaaaa;children=(g#,g1,g2,g3,g0);};", "};}", largestProject)
        },
        Case(name: "lists of configurations that many name") {
            let ids = (0..<4_000).map { "c\($0 % 3)" }.joined(separator: ",")
            return filled(
                "// !$*UTF8*$!\n{objects={c={isa=XCBuildConfiguration;};l={isa=XCConfigurationList;buildConfigurations=(\(ids));};",
                "t#={isa=ATarget;buildConfigurationList=l;};", "};}", largestProject)
        },
        Case(name: "a configuration that many targets share") {
            let settings = (0..<50).map {
                "\"CODE_SIGN_ENTITLEMENTS[\($0)]\"=\"\(String(repeating: "./", count: $0))app-fuzz\";"
            }
            return filled(
                "// !$*UTF8*$!\n{objects={c={isa=XCBuildConfiguration;buildSettings={\(settings.joined())};};l={isa=XCConfigurationList;buildConfigurations=(c);};",
                "t#={isa=ATarget;name=n#;buildConfigurationList=l;};", "};}", 1 << 18)
        },
    ]

    /// An executable of 64 bits with its signature at an offset.
    private static func executable(signature: Int) -> [UInt8] {
        func little(_ number: Int) -> [UInt8] { SampleArchive.little(number, 4) }
        return [0xCF, 0xFA, 0xED, 0xFE] + little(0x0100_000C) + little(0) + little(2) + little(1) + little(16)
            + little(0)
            + little(0) + little(0x1D) + little(16) + little(signature) + little(1_000)
    }

    private static func archive(_ content: SampleArchive.Content) -> [UInt8] {
        var archive = SampleArchive()
        archive.add("Payload/Shop.app/Info.plist", SampleApp.info())
        archive.add("Payload/Shop.app/Shop", content)
        return archive.bytes
    }

    private static let archives: [Case] = [
        Case(name: "an executable of 1 GiB") { archive(.zeros(1 << 30, after: executable(signature: 0x3FFF_0000))) },
        Case(name: "an executable as large as it may be") {
            archive(.zeros(1 << 30, after: executable(signature: (320 << 20) - 100)))
        },
        Case(name: "a fat executable that is nowhere") {
            var fat = SampleExecutable.fat([SampleExecutable(nil)], isWide: true)
            fat.replaceSubrange(16..<24, with: [0x7F] + [UInt8](repeating: 0xFF, count: 7))
            return archive(.stored(fat))
        },
        Case(name: "an Info.plist of 1 GiB") {
            var archive = SampleArchive()
            archive.add("Payload/Shop.app/Info.plist", .zeros(1 << 30))
            return archive.bytes
        },
        Case(name: "a directory of 16 MiB") {
            var directory: [UInt8] = []
            let count = (16 << 20) / 53
            for number in 0..<count {
                directory += [0x50, 0x4B, 1, 2] + [UInt8](repeating: 0, count: 24) + [7, 0]
                directory += [UInt8](repeating: 0, count: 16) + SampleArchive.little(number + (1 << 48), 7)
            }
            let record =
                [0x50, 0x4B, 6, 6] + SampleArchive.little(44, 8) + [UInt8](repeating: 0, count: 12)
                + SampleArchive.little(count, 8) + SampleArchive.little(count, 8)
                + SampleArchive.little(directory.count, 8) + SampleArchive.little(4, 8)
            let locator = [0x50, 0x4B, 6, 7, 0, 0, 0, 0] + SampleArchive.little(4 + directory.count, 8) + [1, 0, 0, 0]
            return [0x50, 0x4B, 3, 4] + directory + record + locator
                + SampleArchive.end(entries: 0xFFFF, size: 0xFFFF_FFFF, offset: 0xFFFF_FFFF)
        },
    ]
}
