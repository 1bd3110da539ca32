import PushSamples

/// Files as tools write them, about one shop.
public enum SampleApp {
    public static let appID = "7K3QWZ9PLM.com.shop.app"

    /// As Xcode writes it; with an ID as in a signature.
    public static func entitlements(_ entries: [String]?, appID: String? = nil, more: String = "") -> String {
        let id = appID.map { "\t<key>application-identifier</key>\n\t<string>\($0)</string>\n" } ?? ""
        let domains =
            entries.map { entries in
                "\t<key>com.apple.developer.associated-domains</key>\n\t<array>\n"
                    + entries.map { "\t\t<string>\($0)</string>\n" }.joined() + "\t</array>\n"
            } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>aps-environment</key>
            \t<string>production</string>
            \(more)\(id)\(domains)</dict>
            </plist>

            """
    }

    /// The property list inside a provisioning profile.
    public static func profileList(
        appID: String = appID, domains: String? = "<string>*</string>", expires: String = "2027-06-30T12:00:00Z",
        isDevelopment: Bool = false
    ) -> String {
        let list = domains.map { "<key>com.apple.developer.associated-domains</key>\($0)" } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
            <key>AppIDName</key><string>Shop</string>
            <key>DeveloperCertificates</key><array><data>AAAA</data></array>
            <key>Entitlements</key><dict>
            <key>application-identifier</key><string>\(appID)</string>
            \(list)
            <key>get-task-allow</key><\(isDevelopment)/>
            </dict>
            <key>ExpirationDate</key><date>\(expires)</date>
            <key>Name</key><string>Shop</string>
            </dict></plist>
            """
    }

    /// Signed data around a content, without a signer (RFC 5652, section 5.1).
    public static func signed(_ content: [UInt8]) -> [UInt8] {
        let data = DER.sequence(DER.oid("1.2.840.113549.1.7.1"), DER.tagged(0, DER.octets(content)))
        let signedData = DER.sequence(DER.integer(1), DER.set(of: []), data, DER.set(of: []))
        return DER.sequence(DER.oid("1.2.840.113549.1.7.2"), DER.tagged(0, signedData))
    }

    public static func profile(
        appID: String = appID, domains: String? = "<string>*</string>", expires: String = "2027-06-30T12:00:00Z"
    ) -> [UInt8] {
        signed(Array(profileList(appID: appID, domains: domains, expires: expires).utf8))
    }

    public static func info(bundleID: String = "com.shop.app", executable: String = "Shop") -> [UInt8] {
        SamplePropertyList.dictionary([
            ("BuildMachineOSBuild", .string("23A344")), ("CFBundleExecutable", .string(executable)),
            ("CFBundleIdentifier", .string(bundleID)), ("CFBundleName", .string("Bücher")),
            ("UIDeviceFamily", .array([.boolean(true), .data([1, 2, 3])])), ("DTBuild", .date(700_000_000)),
        ]).bytes
    }

    /// An archive for the App Store.
    public static func archive(
        executable: [UInt8], profile: [UInt8]? = profile(), info: [UInt8] = info(), name: String = "Shop"
    ) -> SampleArchive {
        var archive = SampleArchive()
        archive.add("Payload/", [])
        archive.add("Payload/Shop.app/", [])
        archive.add("Payload/Shop.app/Frameworks/Other.framework/Info.plist", Self.info(bundleID: "com.other"))
        archive.add("Payload/Shop.app/Info.plist", info)
        archive.add("Payload/Shop.app/\(name)", executable)
        if let profile { archive.add("Payload/Shop.app/embedded.mobileprovision", profile) }
        archive.add("Payload/Shop.app/Assets.car", .zeros(100_000))
        return archive
    }

    /// A build configuration of ``project(_:)``.
    public struct Configuration: Sendable {
        var target: String
        var name: String
        var settings: [(String, String)]
        /// The configuration file that it is based on, in a folder.
        var file: String?

        public init(_ target: String, _ name: String, _ settings: [(String, String)], file: String? = nil) {
            (self.target, self.name, self.settings, self.file) = (target, name, settings, file)
        }
    }

    /// As Xcode writes it, with the parts that matter and some that do not.
    public static func project(
        _ configurations: [Configuration], inherited: [(String, String)] = [], inheritedFile: String? = nil
    ) -> String {
        var objects = ""
        /// The line that names a configuration file, which is in a group.
        func base(_ file: String?, _ id: String) -> String {
            guard let file else { return "" }
            let parts = file.split(separator: "/", maxSplits: 1).map(String.init)
            objects += """
                \t\tX\(id) = {isa = PBXFileReference; lastKnownFileType = text.xcconfig; path = "\(parts[1])"; sourceTree = "<group>"; };
                \t\tG\(id) = {isa = PBXGroup; children = (X\(id), ); path = "\(parts[0])"; sourceTree = "<group>"; };

                """
            return "\t\t\tbaseConfigurationReference = X\(id);\n"
        }
        func settings(_ settings: [(String, String)]) -> String {
            settings.map { "\t\t\t\t\(value($0.0)) = \(value($0.1));\n" }.joined()
        }
        func value(_ text: String) -> String {
            let isBare = !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_./".contains($0) }
            return isBare ? text : "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        var targets: [String] = []
        for target in configurations.map(\.target) where !targets.contains(target) { targets.append(target) }
        for (number, configuration) in configurations.enumerated() {
            let base = base(configuration.file, "C\(number)")
            objects += """
                \t\tC\(number) /* \(configuration.name) */ = {
                \t\t\tisa = XCBuildConfiguration;
                \(base)\t\t\tbuildSettings = {
                \t\t\t\tASSETCATALOG_COMPILER_APPICON_NAME = AppIcon;
                \(settings(configuration.settings))\t\t\t\tLD_RUNPATH_SEARCH_PATHS = (
                \t\t\t\t\t"$(inherited)",
                \t\t\t\t\t"@executable_path/Frameworks",
                \t\t\t\t);
                \t\t\t};
                \t\t\tname = \(configuration.name);
                \t\t};

                """
        }
        for (number, target) in targets.enumerated() {
            let own = configurations.indices.filter { configurations[$0].target == target }
            objects += """
                \t\tT\(number) /* \(target) */ = {
                \t\t\tisa = PBXNativeTarget;
                \t\t\tbuildConfigurationList = L\(number);
                \t\t\tbuildPhases = (
                \t\t\t);
                \t\t\tname = \(value(target));
                \t\t\tproductType = "com.apple.product-type.application";
                \t\t};
                \t\tL\(number) = {
                \t\t\tisa = XCConfigurationList;
                \t\t\tbuildConfigurations = (
                \(own.map { "\t\t\t\tC\($0),\n" }.joined())\t\t\t);
                \t\t\tdefaultConfigurationIsVisible = 0;
                \t\t};

                """
        }
        var names: [String] = []
        for name in configurations.map(\.name) where !names.contains(name) { names.append(name) }
        let inheriting = names.map { name in
            "\t\tP\(name) = {\n\t\t\tisa = XCBuildConfiguration;\n\(base(inheritedFile, "P\(name)"))\t\t\tbuildSettings = {\n\(settings(inherited))\t\t\t};\n"
                + "\t\t\tname = \(name);\n\t\t};\n"
        }.joined()
        return """
            // !$*UTF8*$!
            {
            \tarchiveVersion = 1;
            \tclasses = {
            \t};
            \tobjectVersion = 56;
            \tobjects = {

            /* Begin PBXFileReference section */
            \t\tA0 /* Shop.app */ = {isa = PBXFileReference; explicitFileType = wrapper.application; path = Shop.app; };
            /* End PBXFileReference section */
            \(objects)\(inheriting)\t\tR /* Project object */ = {
            \t\t\tisa = PBXProject;
            \t\t\tattributes = {
            \t\t\t\tLastUpgradeCheck = 1500;
            \t\t\t};
            \t\t\tbuildConfigurationList = LP;
            \t\t\ttargets = (\(targets.indices.map { "T\($0), " }.joined()));
            \t\t};
            \t\tLP = {isa = XCConfigurationList; buildConfigurations = (\(names.map { "P\($0), " }.joined())); };
            \t};
            \trootObject = R /* Project object */;
            }

            """
    }

    /// The manifest of an Android app with filters as Android Studio writes them.
    public static func manifest(_ filters: [String], more: String = "") -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <manifest xmlns:android="http://schemas.android.com/apk/res/android"
            xmlns:tools="http://schemas.android.com/tools" package="com.shop.app">
            <uses-permission android:name="android.permission.INTERNET" />
            <application android:label="@string/app_name" tools:targetApi="34">
                <activity android:name=".MainActivity" android:exported="true">
                    <intent-filter>
                        <action android:name="android.intent.action.MAIN" />
                        <category android:name="android.intent.category.LAUNCHER" />
                    </intent-filter>
        \(filters.joined(separator: "\n"))
                </activity>
                \(more)
            </application>
        </manifest>

        """
    }

    public static func filter(_ data: String, isVerified: Bool = true, categories: [String] = ["DEFAULT", "BROWSABLE"])
        -> String
    {
        let names = categories.map { #"<category android:name="android.intent.category.\#($0)" />"# }.joined()
        return """
            <intent-filter\(isVerified ? #" android:autoVerify="true""# : "")>
            <action android:name="android.intent.action.VIEW" />\(names)
            \(data)
            </intent-filter>
            """
    }
}
