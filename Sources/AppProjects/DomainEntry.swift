package import AppSiteAssociation
package import Diagnostics

/// An entry of the associated domains: `SERVICE:DOMAIN[?mode=MODE]`, in any shape that people write it.
package struct DomainEntry: Sendable {
    /// The services that use associated domains.
    package enum Service: String, CaseIterable, Sendable {
        case applinks, webcredentials, appclips, activitycontinuation, authsrv
    }

    /// For which devices and builds it counts.
    package enum Mode: Hashable, Sendable {
        /// All: there is no query.
        case all
        case developer, managed, developerAndManaged
        /// Something else is written.
        case unknown
    }

    /// As it is in the file.
    package let text: String
    /// Nil if there is none, or one that is not known.
    package let service: Service?
    /// The host, without the `*.` of a wildcard; of a malformed entry the host that was meant. Nil if there is none.
    package let host: HostName?
    /// Whether it is `*.` and the host.
    package let isWildcard: Bool
    package let mode: Mode
    /// What is wrong with it, the first in the order of the codes; nil if nothing is.
    package let problem: EntryProblem?
    /// Whether it has a build variable, so that only a build tells what it says.
    package let isUnresolved: Bool
    /// The entry in its file, if references to build settings in it were replaced.
    var written: String?
    /// Why a reference in it is not known.
    var reasons: [String] = []
    /// The characters of the entry in its file; nil if that is not a text.
    package let range: SourceRange?
    /// In JSON, where it is (RFC 6901).
    package let pointer: String?

    /// Whether the system takes it for this host. Nil: that depends on a build variable.
    package func covers(_ name: HostName) -> Bool? {
        if isUnresolved { return nil }
        guard problem?.isError != true, service != nil else { return false }
        return names(name)
    }

    /// Whether it was meant for this host, even if it is malformed.
    package func names(_ name: HostName) -> Bool {
        guard let host else { return false }
        if host == name { return true }
        return isWildcard && name.ascii.hasSuffix(".\(host.ascii)")
    }

    /// Whether it is malformed, and was meant for this host and service as far as can be told.
    func isMeant(for name: HostName, _ service: Service) -> Bool {
        problem?.isError == true && (self.service ?? service) == service && names(name)
    }

    /// What two entries have in common that mean the same.
    struct Meaning: Hashable {
        let service: Service?
        let host: HostName?
        let isWildcard: Bool
        let mode: Mode
    }

    var meaning: Meaning { Meaning(service: service, host: host, isWildcard: isWildcard, mode: mode) }
}

/// What is wrong with an entry.
package struct EntryProblem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case service, scheme, path, domain, port, mode
    }

    package let kind: Kind
    /// One clause, without the entry in front of it.
    package let clause: String
    /// The entry as it should be; nil if that is not evident.
    package let correction: String?

    /// Whether the system ignores the entry for it.
    package var isError: Bool { kind != .port && kind != .mode }
}
