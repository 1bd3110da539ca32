internal import URLPatterns

/// The build settings of one level: of a target, of a project, or of the configuration file that one of them is based on.
struct SettingTable {
    /// A value, and the conditions under which it counts.
    struct Assignment {
        let value: String
        let conditions: [SettingCondition]
    }

    /// Where an assignment is in the levels of a build, so that the search can go on behind it.
    struct Position {
        fileprivate(set) var level = 0
        /// The index of the assignment; nil at the beginning of a level.
        fileprivate(set) var index: Int?
    }

    /// The assignments of each setting, in the order in which they were made: the last one that matches counts.
    private var assignments: [String: [Assignment]] = [:]

    mutating func add(_ name: String, _ value: String, _ conditions: [SettingCondition] = []) {
        assignments[name, default: []].append(Assignment(value: value, conditions: conditions))
    }

    /// Takes a key as it is in a project: `NAME[sdk=iphoneos*][arch=arm64]`.
    mutating func add(key: String, _ value: String) {
        guard let bracket = key.firstIndex(of: "[") else { return add(key, value) }
        guard let conditions = SettingCondition.read(key[bracket...]) else { return }
        add(String(key[..<bracket]), value, conditions)
    }

    /// The value of a setting that counts in a build.
    ///
    /// - Parameters:
    ///   - levels: The levels by their precedence, the highest first.
    ///   - position: The position behind which the search begins, and where it ended.
    ///   - work: Loses one for each assignment that is looked at, and more for its conditions; without any left, nothing
    ///     is found.
    static func value(
        of name: String, in levels: [SettingTable], for build: SettingContext, behind position: inout Position,
        _ work: inout Int
    ) -> String? {
        while position.level < levels.count {
            let list = levels[position.level].assignments[name] ?? []
            var index = position.index ?? list.count
            while index > 0 {
                index -= 1
                work -= 1 + list[index].conditions.reduce(0) { $0 + $1.cost(in: build) }
                guard work > 0 else { return nil }
                guard list[index].conditions.allSatisfy({ $0.holds(in: build) }) else { continue }
                position.index = index
                return list[index].value
            }
            position.level += 1
            position.index = nil
        }
        return nil
    }
}

/// The build in which settings are looked up.
struct SettingContext {
    /// The name of the platform, which the name of its SDK begins with, such as `iphoneos`; empty if it is not known.
    let platform: String
    let configuration: String

    /// The platforms of devices, which is where links open apps, in the order in which they are tried.
    static let platforms = ["iphoneos", "macosx", "appletvos", "watchos", "xros"]
}

/// A condition of a setting, such as `[sdk=iphoneos*]`.
struct SettingCondition {
    let parameter: String
    /// The pattern as `fnmatch(3)` takes it, of which `*` and `?` are read.
    let pattern: String

    /// Reads conditions in brackets; nil if they are not well-formed.
    static func read(_ text: Substring) -> [SettingCondition]? {
        var conditions: [SettingCondition] = []
        var rest = text
        while rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            let inside = rest[rest.index(after: rest.startIndex)..<end]
            guard let equals = inside.firstIndex(of: "=") else { return nil }
            conditions.append(
                SettingCondition(
                    parameter: String(inside[..<equals]), pattern: String(inside[inside.index(after: equals)...])))
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? conditions : nil
    }

    /// The most that a comparison costs, in steps.
    func cost(in build: SettingContext) -> Int {
        1 + pattern.utf8.count / 8 * (parameter == "config" ? build.configuration.utf8.count : 10)
    }

    /// Whether the condition is met; one that is not known is met only by `*`, as in Xcode.
    func holds(in build: SettingContext) -> Bool {
        switch parameter {
        case "sdk" where !build.platform.isEmpty: matches(build.platform)
        case "config": matches(build.configuration)
        case "arch": matches("arm64")
        case "variant": matches("normal")
        default: pattern == "*"
        }
    }

    private func matches(_ text: String) -> Bool { Wildcards.matches(Array(pattern.utf8), Array(text.utf8)) }
}
