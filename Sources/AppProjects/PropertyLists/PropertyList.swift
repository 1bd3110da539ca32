internal import Android
internal import BoundedText
internal import Diagnostics
internal import SystemSupport

/// A value of a property list, XML or binary; only what is asked for is read.
struct PropertyList {
    private enum Storage {
        case xml(XMLElement, SourceText)
        case binary(BinaryPropertyList, BinaryPropertyList.Object)
    }

    private let storage: Storage

    /// Reads a property list of either kind.
    ///
    /// - Returns: Nil if the bytes are neither.
    static func read(_ bytes: [UInt8], path: String) throws(AppProjectError) -> PropertyList? {
        if BinaryPropertyList.isOne(bytes) {
            let list = try BinaryPropertyList(bytes, path: path)
            return PropertyList(storage: .binary(list, try list.root()))
        }
        guard let document = try XMLReader.readIfXML(bytes, path: path) else { return nil }
        return PropertyList(document)
    }

    /// Nil if it is another kind of document.
    init?(_ document: XMLDocument) {
        guard document.root.name == "plist", let value = document.root.children.first else { return nil }
        storage = .xml(value, document.source)
    }

    private init(storage: Storage) { self.storage = storage }

    /// Whether it has keys.
    var isDictionary: Bool {
        switch storage {
        case .xml(let element, _): element.name == "dict"
        case .binary(let list, let object): list.isDictionary(object)
        }
    }

    /// The text that positions refer to; nil for a binary one.
    var source: SourceText? { if case .xml(_, let source) = storage { source } else { nil } }

    /// The characters of a string, or the whole of what begins with this value's tag.
    var range: SourceRange? {
        guard case .xml(let element, _) = storage else { return nil }
        return element.name == "string" && element.textRange.length > 0 ? element.textRange : element.tagRange
    }

    /// The value of a key; of several equal ones the last. Nil if there is none, or this is not a dictionary.
    func member(_ key: String) throws(AppProjectError) -> PropertyList? {
        switch storage {
        case .binary(let list, let object):
            guard let value = try list.member(key, of: object) else { return nil }
            return PropertyList(storage: .binary(list, value))
        case .xml(let element, let source):
            guard element.name == "dict" else { return nil }
            var value: XMLElement?
            var isWanted = false
            for child in element.children {
                if child.name == "key" {
                    isWanted = child.text == key
                } else {
                    if isWanted { value = child }
                    isWanted = false
                }
            }
            return value.map { PropertyList(storage: .xml($0, source)) }
        }
    }

    /// The longest list that is read.
    static let maxElements = 5_000

    /// The elements of an array; nil if this is not one.
    func elements() throws(AppProjectError) -> [PropertyList]? {
        switch storage {
        case .xml(let element, let source):
            guard element.name == "array" else { return nil }
            guard element.children.count <= Self.maxElements else { throw .tooManyDomains(source.path) }
            return element.children.map { PropertyList(storage: .xml($0, source)) }
        case .binary(let list, let object):
            return try list.elements(of: object, most: Self.maxElements)?
                .map { PropertyList(storage: .binary(list, $0)) }
        }
    }

    /// Nil if it is not a string.
    func string() throws(AppProjectError) -> String? {
        switch storage {
        case .xml(let element, _): element.name == "string" ? element.text : nil
        case .binary(let list, let object): try list.string(object)
        }
    }

    /// Nil if it is neither true nor false.
    var boolean: Bool? {
        switch storage {
        case .xml(let element, _): element.name == "true" ? true : element.name == "false" ? false : nil
        case .binary(let list, let object): list.boolean(object)
        }
    }

    /// In seconds since 1970; nil if it is not a date.
    func date() throws(AppProjectError) -> Int64? {
        switch storage {
        case .xml(let element, _): element.name == "date" ? try? InternetDate.seconds(element.text) : nil
        case .binary(let list, let object): try list.date(object)
        }
    }
}

extension AppProjectError {
    static func damagedList(_ path: String) -> AppProjectError {
        AppProjectError(
            .unusable, path, "the property list is damaged: it refers to what is not in it",
            help: "build or export it again")
    }

    static func longString(_ path: String) -> AppProjectError {
        AppProjectError(
            .unusable, path,
            "the property list has a string of more than \(grouped(BinaryPropertyList.longestString)) bytes")
    }

    static func tooManyDomains(_ path: String) -> AppProjectError {
        AppProjectError(.unusable, path, "it has more than \(PropertyList.maxElements) associated domains")
    }
}

/// The entries of entitlements about the app and its domains, from an entitlements file, a profile or a signature.
struct Entitlements {
    static let domainsKey = "com.apple.developer.associated-domains"

    /// The ID as it is written, with build variables or a wildcard.
    let appID: String?
    /// Where it is.
    let appIDRange: SourceRange?
    let domains: AssociatedDomains
    let isDevelopment: Bool?

    /// - Parameters:
    ///   - path: The file that they are in, as messages call it.
    ///   - isText: Whether positions mean something to a person: the list is not part of another file.
    ///   - isProfile: Whether they are what a profile allows; then `*` is for every domain.
    ///   - holder: What they are, for the finding that there are no domains.
    init(
        _ list: PropertyList, path: String, isText: Bool = true, isProfile: Bool = false, holder: String
    ) throws(AppProjectError) {
        var id = try list.member("application-identifier")
        // On the Mac.
        if id == nil { id = try list.member("com.apple.application-identifier") }
        appID = try id?.string()
        appIDRange = isText ? id?.range : nil
        isDevelopment = try list.member("get-task-allow")?.boolean
        domains = try Self.domains(
            list, path: path, source: isText ? list.source : nil, isProfile: isProfile, holder: holder)
    }

    private static func domains(
        _ list: PropertyList, path: String, source: SourceText?, isProfile: Bool, holder: String
    ) throws(AppProjectError) -> AssociatedDomains {
        func result(_ value: AssociatedDomains.Value, _ at: PropertyList) -> AssociatedDomains {
            AssociatedDomains(value, path: path, source: source, range: source == nil ? nil : at.range)
        }
        guard let value = try list.member(domainsKey) else {
            return result(.missing("\(holder) no associated domains"), list)
        }
        if isProfile, try value.string() == "*" { return result(.every, value) }
        guard let elements = try value.elements() else {
            var domains = result(.missing("\(holder) associated domains that are not a list"), value)
            domains.isMalformed = true
            return domains
        }
        guard !elements.isEmpty else { return result(.missing("\(holder) an empty list of associated domains"), value) }
        var entries: [DomainEntry] = []
        for element in elements {
            let text = try element.string()
            if isProfile, text == "*" { return result(.every, value) }
            entries.append(EntryReader.entry(text, range: source == nil ? nil : element.range))
        }
        return result(.entries(entries), value)
    }
}
