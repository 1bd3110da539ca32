import AppProjects
import AppSamples
import AppSiteAssociation
import Diagnostics
import Foundation
import TestSupport
import URLPatterns

/// A folder with files of apps, and what is read and found in them.
struct AppFolder {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path }

    func read(_ content: String, as name: String = "Shop.entitlements") throws -> AppProject {
        try AppProject.read(try folder.write(content, to: name))
    }

    func read(_ bytes: [UInt8], as name: String = "file") throws -> AppProject {
        try AppProject.read(try folder.write(Data(bytes), to: name))
    }

    /// Why a file cannot be used; nil if it can.
    func failure(_ bytes: [UInt8], as name: String = "file") throws -> AppProjectError? {
        failure(try folder.write(Data(bytes), to: name))
    }

    func failure(_ path: String) -> AppProjectError? {
        do throws(AppProjectError) {
            _ = try AppProject.read(path)
            return nil
        } catch {
            return error
        }
    }
}

/// 2026-11-21T12:00:00Z
let now: Int64 = 1_795_262_400

extension AppChecks {
    init(_ projects: AppProject...) { self.init(projects) }

    /// The codes of all that is found for a domain, and without one.
    func codes(_ host: String? = nil, file: String? = nil, isTarget: Bool = true) throws -> [String] {
        var found = findings(now: now)
        if let host, let name = HostName(host) {
            found += findings(for: name, isTarget: isTarget)
            if let file { found += findings(for: name, try AssociationDocument(file), file: "https://\(host)/file") }
        }
        return found.map(\.diagnostic.code.rawValue)
    }
}

/// A file for the website that lists apps.
func website(_ services: [String: [String]]) -> String {
    let members = services.sorted { $0.key < $1.key }.map { service, ids in
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        return service == "applinks"
            ? #""applinks":{"details":[{"appIDs":[\#(list)],"components":[{"/":"*"}]}]}"#
            : #""\#(service)":{"apps":[\#(list)]}"#
    }
    return "{\(members.joined(separator: ","))}"
}
