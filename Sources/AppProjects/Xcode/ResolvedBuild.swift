internal import Diagnostics
internal import SystemSupport

/// The settings of a build configuration about the app, for one platform.
struct ResolvedBuild {
    enum Entitlements: Equatable {
        /// The build has none.
        case none
        /// A configuration file that was not read may name some.
        case uncertain
        case file(String)
        case unresolved(UnresolvedValue)
    }

    let configuration: BuildConfiguration
    let entitlements: Entitlements
    let id: ApplicationIdentifier?
    /// Why the ID is not known.
    let unresolved: UnresolvedValue?
    /// Expands the references in its entitlements.
    var expander: SettingExpander

    /// The builds of a configuration, one for each platform of devices that differs from the others.
    static func all(
        _ configuration: BuildConfiguration, _ folder: ProjectFolder, _ work: inout Int
    ) -> [ResolvedBuild] {
        var builds: [ResolvedBuild] = []
        for platform in platforms(configuration, folder, &work) {
            let build = ResolvedBuild(configuration, folder, platform: platform, &work)
            let isKnown = builds.contains { $0.entitlements == build.entitlements && $0.id == build.id }
            if !isKnown { builds.append(build) }
        }
        return builds
    }

    /// The platforms of devices that a configuration is built for; all if it does not say so.
    private static func platforms(
        _ configuration: BuildConfiguration, _ folder: ProjectFolder, _ work: inout Int
    ) -> [String] {
        var expander = expander(configuration, folder, platform: "")
        func words(_ name: String) -> [Substring] {
            let value = try? expander.value(of: name, &work)
            return (value ?? "").split(separator: " ")
        }
        var names = words("SUPPORTED_PLATFORMS")
        if names.isEmpty { names = words("SDKROOT") }
        if words("SUPPORTS_MACCATALYST") == ["YES"] { names.append("macosx") }
        let known = SettingContext.platforms.filter { platform in names.contains { $0.hasPrefix(platform) } }
        return known.isEmpty ? SettingContext.platforms : known
    }

    private static func expander(
        _ configuration: BuildConfiguration, _ folder: ProjectFolder, platform: String
    ) -> SettingExpander {
        SettingExpander(
            levels: configuration.levels + [builtIn(configuration, folder, platform)],
            build: SettingContext(platform: platform, configuration: configuration.name))
    }

    /// The settings that follow from the project.
    private static func builtIn(
        _ configuration: BuildConfiguration, _ folder: ProjectFolder, _ platform: String
    ) -> SettingTable {
        var table = SettingTable()
        for name in ["SRCROOT", "SOURCE_ROOT", "PROJECT_DIR"] { table.add(name, folder.resolved.text.escaped) }
        for name in ["TARGET_NAME", "TARGETNAME"] { table.add(name, configuration.target.escaped) }
        for name in ["PROJECT_NAME", "PROJECT"] { table.add(name, folder.projectName.escaped) }
        table.add("PROJECT_FILE_PATH", folder.projectPath.escaped)
        table.add("CONFIGURATION", configuration.name.escaped)
        table.add("PRODUCT_NAME", "$(TARGET_NAME)")
        table.add("PRODUCT_MODULE_NAME", "$(PRODUCT_NAME:c99extidentifier)")
        table.add("CFBundleIdentifier", "$(PRODUCT_BUNDLE_IDENTIFIER)")
        if !platform.isEmpty {
            table.add("PLATFORM_NAME", platform)
            table.add("EFFECTIVE_PLATFORM_NAME", platform == "macosx" ? "" : "-\(platform)")
        }
        return table
    }

    private init(
        _ configuration: BuildConfiguration, _ folder: ProjectFolder, platform: String, _ work: inout Int
    ) {
        self.configuration = configuration
        var expander = Self.expander(configuration, folder, platform: platform)
        /// The value of a setting, which is empty if it is not set.
        func value(_ name: String, advice: String? = nil) -> (text: String, unresolved: UnresolvedValue?) {
            do throws(SettingExpander.Failure) {
                return (try expander.value(of: name, &work) ?? "", nil)
            } catch {
                let written = expander.written(name, &work) ?? ""
                return (
                    "", UnresolvedValue(setting: name, of: configuration, value: written, error, advice: advice)
                )
            }
        }
        let file = value("CODE_SIGN_ENTITLEMENTS", advice: UnresolvedValue.entitlements)
        if let unresolved = file.unresolved {
            entitlements = .unresolved(unresolved)
        } else if file.text.isEmpty {
            entitlements = configuration.unread.isEmpty ? .none : .uncertain
        } else {
            entitlements = .file(folder.relative(file.text))
        }
        let bundle = value("PRODUCT_BUNDLE_IDENTIFIER")
        let team = value("DEVELOPMENT_TEAM")
        id = ApplicationIdentifier("\(team.text).\(bundle.text)")
        if id != nil {
            unresolved = nil
        } else if bundle.text.isEmpty {
            unresolved =
                bundle.unresolved
                ?? UnresolvedValue(missing: "PRODUCT_BUNDLE_IDENTIFIER", bundle: nil, notes: configuration.unread)
        } else {
            unresolved =
                team.unresolved
                ?? UnresolvedValue(missing: "DEVELOPMENT_TEAM", bundle: bundle.text, notes: configuration.unread)
        }
        self.expander = expander
    }
}

extension String {
    /// The text as a value that refers to no setting.
    fileprivate var escaped: String {
        contains("$") ? split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$") : self
    }
}
