internal import Diagnostics

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type that a captured text can be turned into.
///
/// Strings, whole numbers, `Double`, `Bool`, `UUID` and optionals of them are, and enumerations with raw values of these
/// types become parameters by naming the protocol: `enum Size: String, RouteParameter { case small, large }`.
public protocol RouteParameter: Sendable {
    /// Takes the percent-decoded text of a capture; nil if it is not one of this type.
    init?(routeParameter text: String)

    /// The description of a text that is accepted, for messages: `a whole number`.
    static var expectedRouteParameter: String { get }

    /// Whether every text is one of this type, so that a route never fails because of it.
    static var takesEveryRouteParameter: Bool { get }
}

extension RouteParameter {
    public static var takesEveryRouteParameter: Bool { false }
}

extension String: RouteParameter {
    public init?(routeParameter text: String) { self = text }
    public static var expectedRouteParameter: String { "a text" }
    public static var takesEveryRouteParameter: Bool { true }
}

extension RouteParameter where Self: FixedWidthInteger {
    /// Takes decimal digits, with a `-` before them if it is a signed type.
    public init?(routeParameter text: String) {
        guard text.utf8.first != UInt8(ascii: "+") else { return nil }
        self.init(text, radix: 10)
    }

    public static var expectedRouteParameter: String {
        bitWidth < 64
            ? "a whole number from \(min) to \(max)" : isSigned ? "a whole number" : "a whole number from 0"
    }
}

extension Int: RouteParameter {}
extension Int8: RouteParameter {}
extension Int16: RouteParameter {}
extension Int32: RouteParameter {}
extension Int64: RouteParameter {}
extension UInt: RouteParameter {}
extension UInt8: RouteParameter {}
extension UInt16: RouteParameter {}
extension UInt32: RouteParameter {}
extension UInt64: RouteParameter {}

extension Double: RouteParameter {
    /// Takes digits, a point, a sign and an exponent; no infinity and nothing that is not a number.
    public init?(routeParameter text: String) {
        let isDecimal = text.utf8.allSatisfy { byte in
            byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-.eE".utf8.contains(byte)
        }
        guard isDecimal, let value = Double(text), value.isFinite else { return nil }
        self = value
    }

    public static var expectedRouteParameter: String { "a number" }
}

extension Bool: RouteParameter {
    /// Takes `true`, `false`, `1` and `0`.
    public init?(routeParameter text: String) {
        switch text {
        case "true", "1": self = true
        case "false", "0": self = false
        default: return nil
        }
    }

    public static var expectedRouteParameter: String { "true or false" }
}

extension UUID: RouteParameter {
    public init?(routeParameter text: String) { self.init(uuidString: text) }
    public static var expectedRouteParameter: String { "a UUID" }
}

extension Optional: RouteParameter where Wrapped: RouteParameter {
    /// Takes the empty text for nil: that of a query item that is not there.
    public init?(routeParameter text: String) {
        if text.isEmpty {
            self = .none
        } else if let value = Wrapped(routeParameter: text) {
            self = .some(value)
        } else {
            return nil
        }
    }

    public static var expectedRouteParameter: String { "\(Wrapped.expectedRouteParameter), or nothing" }
    public static var takesEveryRouteParameter: Bool { Wrapped.takesEveryRouteParameter }
}

extension RouteParameter where Self: RawRepresentable, RawValue: RouteParameter {
    public init?(routeParameter text: String) {
        guard let value = RawValue(routeParameter: text) else { return nil }
        self.init(rawValue: value)
    }

    public static var expectedRouteParameter: String { "\(RawValue.expectedRouteParameter) that is known" }
}

extension RouteParameter where Self: RawRepresentable & CaseIterable, RawValue: RouteParameter {
    public static var expectedRouteParameter: String {
        let values = allCases.map { "'\($0.rawValue)'" }
        return values.count == 1 ? values[0] : "one of " + values.joined(separator: ", ")
    }
}

/// A captured text is not what a handler asks for.
public struct RouteParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the capture.
    public let name: String
    /// Its text, percent-decoded; nil if the route has no capture of the name.
    public let value: String?
    /// The description of the text that was expected: `a whole number`.
    public let expected: String
    /// The route, as it was written.
    public let route: String

    public var description: String {
        guard let value else {
            return "the route \(quoted(route)) has no capture \(quoted(name)); expected \(expected)"
        }
        return "\(quoted(name)) is \(quoted(value)) in \(quoted(route)); expected \(expected)"
    }
}
