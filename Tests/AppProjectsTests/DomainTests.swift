import AppProjects
import AppSamples
import AppSiteAssociation
import Diagnostics
import Testing
import URLPatterns

@Suite("The app's side and the website")
struct DomainTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    private func checks(_ entries: [String]?, appID: String? = SampleApp.appID) throws -> AppChecks {
        AppChecks(try app.read(SampleApp.entitlements(entries, appID: appID)))
    }

    private static let listed = website(["applinks": [SampleApp.appID]])

    struct Row: CustomTestStringConvertible {
        let entries: [String]?
        var id: String? = SampleApp.appID
        let host: String
        var file: String = listed
        let codes: [String]
        var testDescription: String { "\(entries ?? []) \(host) \(codes)" }
    }

    static let rows = [
        Row(entries: ["applinks:a.com"], host: "a.com", codes: []),
        Row(entries: ["applinks:a.com"], host: "b.com", codes: ["entitlement-missing"]),
        Row(entries: nil, host: "a.com", codes: ["no-associated-domains"]),
        Row(entries: [], host: "a.com", codes: ["no-associated-domains"]),
        Row(entries: ["applinks:https://a.com"], host: "a.com", codes: ["entitlement-scheme"]),
        Row(entries: ["a.com"], host: "a.com", codes: ["entitlement-service"]),
        Row(entries: ["applinks:https://b.com"], host: "a.com", codes: ["entitlement-scheme", "entitlement-missing"]),
        Row(entries: ["applinks:$(DOMAIN)"], host: "a.com", codes: ["build-setting-unknown"]),
        Row(entries: ["applinks:*.a.com"], host: "a.com", codes: []),
        Row(entries: ["applinks:*.a.com"], host: "b.a.com", codes: ["wildcard-apex"]),
        Row(entries: ["applinks:*.a.com", "applinks:b.a.com"], host: "b.a.com", codes: []),
        Row(entries: ["applinks:a.com"], id: nil, host: "a.com", codes: ["app-id-unknown"]),
        Row(entries: ["webcredentials:a.com"], id: nil, host: "a.com", codes: ["app-id-unknown", "app-not-in-file"]),
        Row(entries: ["applinks:a.com"], id: "7K3QWZ9PLM.com.other", host: "a.com", codes: ["app-not-in-file"]),
        Row(entries: ["applinks:a.com"], id: "ABCDE12345.com.shop.app", host: "a.com", codes: ["app-prefix-mismatch"]),
        Row(
            entries: ["webcredentials:a.com"], host: "a.com", codes: ["app-not-in-file", "service-not-in-entitlements"]),
        Row(
            entries: ["applinks:a.com"], host: "a.com",
            file: website(["applinks": [SampleApp.appID], "webcredentials": [SampleApp.appID]]),
            codes: ["service-not-in-entitlements"]),
        // The malformed entry is the cause.
        Row(
            entries: ["webcredentials:a.com", "applinks:https://a.com"], host: "a.com",
            file: website(["applinks": [SampleApp.appID], "webcredentials": [SampleApp.appID]]),
            codes: ["entitlement-scheme"]),
        Row(
            entries: ["applinks:a.com", "appclips:a.com"], host: "a.com",
            file: website(["applinks": [SampleApp.appID], "appclips": ["\(SampleApp.appID).Clip"]]), codes: []),
        Row(
            entries: ["applinks:a.com", "appclips:a.com"], host: "a.com",
            file: website(["applinks": [SampleApp.appID], "appclips": ["\(SampleApp.appID)Clip"]]),
            codes: ["app-not-in-file"]),
        Row(entries: ["applinks:a.com", "authsrv:a.com"], host: "a.com", codes: []),
        Row(entries: ["applinks:a.com", "activitycontinuation:a.com"], host: "a.com", codes: ["app-not-in-file"]),
    ]

    @Test("each difference has its code, and one cause one finding", arguments: rows)
    func codes(row: Row) throws {
        #expect(try checks(row.entries, appID: row.id).codes(row.host, file: row.file) == row.codes)
    }

    @Test("a domain that was not asked for by name is not missing")
    func ownDomains() throws {
        let checks = try checks(["applinks:a.com", "webcredentials:*.b.com", "applinks:https://c.com", "applinks:"])
        #expect(checks.hosts.map(\.ascii) == ["a.com", "b.com", "c.com"])
        #expect(try self.checks(["applinks:a.com"]).codes("b.com", isTarget: false) == [])
    }

    @Test("of several apps each may have its domains, and all files about one app the same")
    func severalFiles() throws {
        let one = try app.read(SampleApp.entitlements(["applinks:a.com"], appID: "T.com.one"), as: "1")
        let two = try app.read(SampleApp.entitlements(["applinks:b.com"], appID: "T.com.two"), as: "2")
        let three = try app.read(
            SampleApp.entitlements(["applinks:a.com", "applinks:b.com"], appID: "T.com.one"), as: "3")
        #expect(try AppChecks(one, two).codes("a.com") == [])
        #expect(try AppChecks(one, two).codes("c.com") == ["entitlement-missing"])
        let name = try #require(HostName("b.com"))
        let found = AppChecks(one, three).findings(for: name, isTarget: true)
        #expect(found.map(\.path) == ["\(app.path)/1"])
        #expect(found.first?.diagnostic.notes == ["'\(app.path)/3' has one"])
    }

    @Test("two files that name different app IDs for a bundle ID are in conflict")
    func conflicts() throws {
        let one = try app.read(SampleApp.entitlements(["applinks:a.com"], appID: "A.com.one"), as: "1")
        let two = try app.read(SampleApp.entitlements(["applinks:a.com"], appID: "B.com.one"), as: "2")
        let three = try app.read(SampleApp.entitlements(["applinks:a.com"], appID: "B.com.two"), as: "3")
        #expect(try AppChecks(one, three).codes() == [])
        let found = AppChecks(one, two, three).findings(now: now)
        #expect(
            found.map(\.description) == [
                "\(app.path)/2:8:10: error: the app ID here is 'B.com.one', and 'A.com.one' in '\(app.path)/1' [app-identity-conflict]"
            ])
    }

    @Test("--app-id replaces what files say, and works without any")
    func givenIDs() throws {
        let given = try #require(ApplicationIdentifier("ABCDE12345.com.given"))
        let name = try #require(HostName("a.com"))
        let document = try AssociationDocument(Self.listed)
        func codes(_ checks: AppChecks, _ services: [DomainEntry.Service] = [.applinks]) -> [String] {
            checks.findings(for: name, document, file: "https://a.com/f", services: services).map(
                \.diagnostic.code.rawValue)
        }
        let file = try app.read(SampleApp.entitlements(["applinks:a.com"], appID: SampleApp.appID))
        #expect(codes(AppChecks([file], appIDs: [given])) == ["app-not-in-file"])
        #expect(codes(AppChecks([], appIDs: [given])) == ["app-not-in-file"])
        #expect(codes(AppChecks([], appIDs: [given]), [.applinks, .appclips]).count == 2)
        let listed = try #require(ApplicationIdentifier(SampleApp.appID))
        let other = try #require(ApplicationIdentifier("ABCDE12345.com.shop.app"))
        #expect(codes(AppChecks([], appIDs: [listed])) == [])
        #expect(codes(AppChecks([], appIDs: [other])) == ["app-prefix-mismatch"])
        let finding = AppChecks([], appIDs: [given]).findings(for: name, document, file: "https://a.com/f").first
        #expect(finding?.path == "https://a.com/f")
        // A profile allows every domain, and says nothing about services.
        let profile = AppChecks(try app.read(SampleApp.profile()))
        #expect(codes(profile) == [] && codes(profile, [.webcredentials]) == ["app-not-in-file"])
    }

    @Test(
        "an app ID has a prefix and a bundle ID",
        arguments: [("A.b", true), ("A", false), ("A.", false), (".b", false), ("A.*", false)])
    func appIDs(text: String, isOne: Bool) { #expect((ApplicationIdentifier(text) != nil) == isOne) }
}
