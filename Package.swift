// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Where tests compute most of the time, which takes many times as long without optimization: for debug builds that run
/// many of them, as those of the sanitizers do. A package that others depend on must not set such flags: `make` asks for them.
let isOptimized = Context.environment["AASA_OPTIMIZE_TESTS"] == "1"
let engine = settings + (isOptimized ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])

/// Code on which no request, decision or check of a file waits: a release is smaller by compiling it for size.
let isSmall = Context.environment["AASA_SMALL_PROGRAMS"] == "1"
let commands = settings + (isSmall ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : [])

/// A test runs once: optimizing it takes longer than running it. Several files are compiled at once instead. Whoever depends
/// on the package does not build its tests, so that these flags do not keep anybody from it.
let tests =
    settings
    + [.unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))]

/// Programs that need no Swift where they run. What they are linked with is said here, and not to `swift build`, which
/// would compile everything once for them and once for the tests: the parts of Swift's libraries that these need, and from
/// a folder that the Makefile fills, libstdc++ and libgcc as archives.
let isStatic = Context.environment["AASA_STATIC_PROGRAMS"] == "1"
let program: [LinkerSetting] =
    isStatic
    ? [
        .unsafeFlags([
            "-static-stdlib", "-lswiftSynchronization", "-lCoreFoundation", "-l_FoundationCollections",
            "-l_FoundationCShims", "-l_FoundationICU",
            "-use-ld=lld", "-L.build/archives", "-Xclang-linker", "-static-libgcc",
        ])
    ] : []
/// The benchmarks use TestSupport, and with it the library for tests, of which there is no archive.
let testProgram: [LinkerSetting] = isStatic ? [.unsafeFlags(["-use-ld=lld"])] : []

// The hosts of `aasa export`, each a text that is compiled in.
let hosts = [
    "amplify", "apache", "azure-static-web-apps", "caddy", "cloudflare-pages", "cloudflare-workers", "django",
    "express", "firebase-hosting", "github-pages", "gitlab-pages", "h2o", "haproxy", "htaccess", "iis", "laravel",
    "lighttpd", "netlify", "next", "nginx", "rails", "s3-cloudfront", "traefik", "vercel",
]

// The certificates of Apple's authorities, compiled in as Apple publishes them.
let authorities =
    ["AppleIncRootCertificate", "AppleRootCA-G3"] + (1...8).map { "AppleWWDRCAG\($0)" }

let package = Package(
    name: "swift-universal-links",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "AppSiteAssociation", targets: ["AppSiteAssociation"]),
        .library(name: "URLPatterns", targets: ["URLPatterns"]),
        .library(name: "AssociationLint", targets: ["AssociationLint"]),
        .library(name: "UniversalLinks", targets: ["UniversalLinks"]),
        .library(name: "LinkDelivery", targets: ["LinkDelivery"]),
        .library(name: "AssociationServer", targets: ["AssociationServer"]),
        .library(name: "Diagnostics", targets: ["Diagnostics"]),
        .library(name: "PushCertificates", targets: ["PushCertificates"]),
        .executable(name: "aasa", targets: ["aasa"]),
        .executable(name: "certcheck", targets: ["certcheck"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLinux"),
        // Without pkgConfig, whose flags would link it: it is opened when it is first needed.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CNGHTTP2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "CStartup"),
        .target(name: "BoundedText", swiftSettings: engine),
        .target(name: "Diagnostics", dependencies: ["BoundedText"], swiftSettings: commands),
        .target(name: "DomainNames", dependencies: ["BoundedText"], swiftSettings: engine),
        .target(
            name: "HostRecipes", dependencies: ["BoundedText"],
            resources: hosts.map { .embedInCode("Hosts/\($0).txt") }, swiftSettings: commands),
        .target(name: "HTTP1", dependencies: ["BoundedText", "SystemSupport"], swiftSettings: settings),
        .target(
            name: "HTTP2", dependencies: ["BoundedText", "CNGHTTP2", "HTTP1", "SystemSupport"], swiftSettings: settings),
        .target(name: "SystemSupport", dependencies: ["BoundedText"], swiftSettings: settings),
        .target(name: "JSONSyntax", dependencies: ["BoundedText", "Diagnostics"], swiftSettings: engine),
        .target(name: "OpenSSL", dependencies: ["BoundedText", "COpenSSL", "SystemSupport"], swiftSettings: settings),
        .target(
            name: "EventLoops", dependencies: ["BoundedText", "CLinux", "DomainNames", "SystemSupport"],
            swiftSettings: settings),
        .target(
            name: "HTTPClient", dependencies: ["BoundedText", "CCurl", "DomainNames", "SystemSupport"],
            swiftSettings: commands),
        .target(name: "URLPatterns", dependencies: ["BoundedText", "DomainNames"], swiftSettings: engine),
        .target(
            name: "AppSiteAssociation", dependencies: ["BoundedText", "Diagnostics", "JSONSyntax", "URLPatterns"],
            swiftSettings: engine),
        .target(
            name: "Android",
            dependencies: ["BoundedText", "Diagnostics", "URLPatterns", "JSONSyntax"],
            swiftSettings: commands),
        .target(
            name: "LinkPages",
            dependencies: [
                "AppSiteAssociation", "BoundedText", "CQREncode", "Diagnostics", "DomainNames", "JSONSyntax",
                "SystemSupport", "URLPatterns",
            ],
            resources: [.embedInCode("Page/page.css"), .embedInCode("Page/texts.json")],
            swiftSettings: engine),
        .target(
            name: "LinkImport",
            dependencies: ["BoundedText", "Diagnostics", "DomainNames", "JSONSyntax", "LinkPages", "URLPatterns"],
            swiftSettings: commands),
        .target(
            name: "PatternAnalysis",
            dependencies: ["BoundedText", "URLPatterns", "Android", "AppSiteAssociation", "Diagnostics", "JSONSyntax"],
            swiftSettings: engine),
        .target(
            name: "AssociationLint",
            dependencies: [
                "BoundedText", "DomainNames", "URLPatterns", "Android", "AppSiteAssociation", "Diagnostics",
                "JSONSyntax", "PatternAnalysis",
            ],
            swiftSettings: commands),
        .target(
            name: "AssociationFiles",
            dependencies: [
                "Android", "AppSiteAssociation", "AssociationLint", "BoundedText", "Diagnostics", "DomainNames",
                "JSONSyntax", "LinkPages", "OpenSSL", "PatternAnalysis", "SystemSupport", "URLPatterns",
            ],
            swiftSettings: commands),
        .target(
            name: "AppProjects",
            dependencies: [
                "BoundedText", "CExpat", "Diagnostics", "SystemSupport", "CZlib", "URLPatterns", "Android",
                "AppSiteAssociation", "JSONSyntax", "OpenSSL", "PushCertificates",
            ],
            swiftSettings: commands),
        .target(
            name: "DomainDoctor",
            dependencies: [
                "BoundedText", "URLPatterns", "Android", "AppProjects", "AppSiteAssociation", "AssociationFiles",
                "AssociationLint", "ServiceHealth", "Diagnostics", "HTTP1", "HTTPClient", "JSONSyntax", "LinkImport",
                "OpenSSL",
                "PatternAnalysis", "DomainNames", "SystemSupport", "UniversalLinks",
            ],
            swiftSettings: commands),
        .target(
            name: "FindingCatalogue",
            dependencies: [
                "ACME", "AppProjects", "AssociationFiles", "AssociationLint", "Diagnostics", "DomainDoctor",
                "LinkImport", "LinkPages", "SiteStore",
            ],
            swiftSettings: commands),
        .target(
            name: "UniversalLinks",
            dependencies: ["BoundedText", "DomainNames", "URLPatterns", "AppSiteAssociation", "Diagnostics"],
            swiftSettings: engine),
        .target(
            name: "AssociationConsole",
            dependencies: [
                "BoundedText", "Android", "AppSiteAssociation", "AssociationLint", "Diagnostics", "DomainNames",
                "HTTP1", "JSONSyntax", "OpenSSL", "PatternAnalysis", "ServiceHealth", "SiteStore", "SystemSupport",
                "URLPatterns", "UniversalLinks",
            ],
            resources: [
                .embedInCode("Assets/console.css"), .embedInCode("Assets/icon.svg"),
                .embedInCode("Assets/times.js"), .embedInCode("Assets/text.js"),
                .embedInCode("Assets/playground.js"), .embedInCode("Assets/playground.css"),
                .embedInCode("Assets/api.js"), .embedInCode("Assets/editor.js"), .embedInCode("Assets/findings.js"),
                .embedInCode("Assets/links.js"), .embedInCode("Assets/changes.js"),
                .embedInCode("Assets/takeaway.js"),
                .embedInCode("Assets/doctor.js"),
            ],
            swiftSettings: commands),
        .target(
            name: "LinkDelivery", dependencies: ["URLPatterns", "AppSiteAssociation", "Diagnostics"],
            swiftSettings: settings),
        .target(
            name: "AssociationServer",
            dependencies: [
                "BoundedText", "URLPatterns", "ACME", "AppSiteAssociation", "AssociationConsole", "AssociationFiles",
                "AssociationLint", "ServiceHealth", "Diagnostics", "EventLoops", "HTTP1", "HTTP2", "JSONSyntax",
                "LinkPages", "OpenSSL", "DomainNames", "SiteStore", "SystemSupport", "UniversalLinks",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "ACME",
            dependencies: [
                "BoundedText", "Diagnostics", "HTTP1", "JSONSyntax", "OpenSSL", "DomainNames", "SystemSupport",
            ],
            swiftSettings: commands),
        .target(
            name: "SiteStore",
            dependencies: [
                "BoundedText", "CSQLite", "Diagnostics", "DomainNames", "OpenSSL", "SystemSupport", "URLPatterns",
            ],
            swiftSettings: commands),
        .target(
            name: "PostgreSQLStore",
            dependencies: [
                "BoundedText", "CPostgreSQL", "Diagnostics", "EventLoops", "OpenSSL", "SiteStore", "SystemSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: commands),
        .target(
            name: "ServiceHealth",
            dependencies: ["ACME", "Diagnostics", "DomainNames", "JSONSyntax", "SiteStore", "SystemSupport"],
            swiftSettings: commands),
        .target(
            name: "AutomaticCertificates",
            dependencies: [
                "BoundedText", "ACME", "AssociationServer", "ServiceHealth", "Diagnostics", "EventLoops", "HTTPClient",
                "OpenSSL", "DomainNames", "SystemSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: commands),
        .target(
            name: "PushCertificates", dependencies: ["BoundedText", "Diagnostics", "OpenSSL", "SystemSupport"],
            resources: authorities.map { .embedInCode("Issuers/Apple/\($0).cer") }, swiftSettings: commands
        ),
        .target(
            name: "CommandLineSupport",
            dependencies: [
                "BoundedText", "Diagnostics", "JSONSyntax", "OpenSSL", "SystemSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: commands
        ),
        .executableTarget(
            name: "aasa",
            dependencies: [
                "BoundedText", "URLPatterns", "Android", "FindingCatalogue", "JSONSyntax", "ACME", "AppProjects",
                "AssociationConsole", "AppSiteAssociation", "AssociationFiles", "AssociationLint", "AssociationServer",
                "AutomaticCertificates", "CStartup", "ServiceHealth", "CommandLineSupport", "Diagnostics",
                "DomainDoctor", "EventLoops", "HTTPClient", "HostRecipes", "LinkImport", "LinkPages", "OpenSSL",
                "PatternAnalysis",
                "PostgreSQLStore", "DomainNames", "SiteStore", "SystemSupport", "UniversalLinks",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: commands, linkerSettings: program
        ),
        .executableTarget(
            name: "certcheck",
            dependencies: [
                "BoundedText", "CommandLineSupport", "Diagnostics", "OpenSSL", "PushCertificates", "SystemSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings, linkerSettings: program
        ),
        .executableTarget(
            name: "aasa-bench",
            dependencies: [
                "ACME", "AppSiteAssociation", "AssociationLint", "AssociationServer", "CAllocations", "Diagnostics",
                "DomainNames", "FrameSamples", "FuzzingSupport", "HTTP1", "HTTP2", "LinkDelivery", "LinkPages",
                "OpenSSL",
                "TLSSamples", "TestSupport", "UniversalLinks",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks",
            exclude: ["CAllocations", "doctor-cost", "http2-bench", "issuance-bench", "store-bench"],
            swiftSettings: settings, linkerSettings: testProgram
        ),
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        .executableTarget(
            name: "aasa-fuzz",
            dependencies: [
                "Fuzzing", "FuzzingSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Fuzzing/Program", swiftSettings: settings, linkerSettings: program
        ),
        .target(
            name: "Fuzzing",
            dependencies: [
                "URLPatterns", "Android", "FindingCatalogue", "ACME", "AppProjects", "AppSamples", "AppSiteAssociation",
                "AssociationLint", "AssociationServer", "Diagnostics", "DomainDoctor", "FrameSamples", "FuzzingSupport",
                "HTTP1", "HTTP2", "HTTPClient", "LinkImport", "LinkPages", "OpenSSL", "PatternAnalysis", "DomainNames",
                "PushCertificates", "PushSamples", "SiteStore", "SystemSupport", "TLSSamples", "UniversalLinks",
            ],
            path: "Tests/Fuzzing", exclude: ["Program", "Support"], swiftSettings: settings
        ),
        .target(
            name: "ConsoleSamples",
            dependencies: [
                "AssociationConsole", "AssociationLint", "Diagnostics", "HTTP1", "ServiceHealth", "SiteStore",
            ],
            path: "Tests/ConsoleSamples", exclude: ["Program"], swiftSettings: settings),
        .executableTarget(
            name: "console-sample",
            dependencies: ["AssociationConsole", "AssociationLint", "ConsoleSamples", "HTTP1"],
            path: "Tests/ConsoleSamples/Program", swiftSettings: settings, linkerSettings: program),
        .target(name: "FrameSamples", path: "Tests/FrameSamples", swiftSettings: settings),
        .target(name: "FuzzingSupport", path: "Tests/Fuzzing/Support", swiftSettings: settings),
        .target(
            name: "AppSamples", dependencies: ["FuzzingSupport", "PushSamples"], path: "Tests/AppSamples",
            swiftSettings: settings),
        .target(
            name: "PushSamples", dependencies: ["SystemSupport", "OpenSSL"], path: "Tests/PushSamples",
            swiftSettings: settings),
        .target(
            name: "TLSSamples", dependencies: ["COpenSSL", "FuzzingSupport", "OpenSSL", "PushSamples"],
            path: "Tests/TLSSamples", swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "ACME", "Diagnostics", "JSONSyntax", "OpenSSL", "PushSamples", "ServiceHealth", "SiteStore",
                "SystemSupport",
                "TLSSamples",
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "BoundedTextTests", dependencies: ["BoundedText", "FuzzingSupport"], swiftSettings: tests),
        .testTarget(name: "HostRecipesTests", dependencies: ["HostRecipes"], swiftSettings: tests),
        .testTarget(
            name: "DomainNamesTests", dependencies: ["FuzzingSupport", "DomainNames"], swiftSettings: tests),
        .testTarget(
            name: "SystemSupportTests", dependencies: ["SystemSupport", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "DiagnosticsTests", dependencies: ["Diagnostics", "FuzzingSupport"], swiftSettings: tests),
        .testTarget(
            name: "HTTP1Tests", dependencies: ["FuzzingSupport", "HTTP1"], swiftSettings: tests),
        .testTarget(
            name: "HTTP2Tests", dependencies: ["FrameSamples", "Fuzzing", "HTTP1", "HTTP2"], swiftSettings: tests),
        .testTarget(
            name: "JSONSyntaxTests", dependencies: ["Diagnostics", "FuzzingSupport", "JSONSyntax"],
            swiftSettings: tests),
        .testTarget(
            name: "OpenSSLTests",
            dependencies: ["FuzzingSupport", "OpenSSL", "PushSamples", "TLSSamples", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: [
                "HTTPClient", "OpenSSL", "DomainNames", "PushSamples", "SystemSupport", "TLSSamples", "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "DomainDoctorTests",
            dependencies: [
                "AppProjects", "AppSiteAssociation", "AssociationFiles", "AssociationLint", "Diagnostics",
                "DomainDoctor", "FindingCatalogue", "Fuzzing", "FuzzingSupport", "HTTPClient", "LinkImport", "OpenSSL",
                "DomainNames",
                "PushSamples", "SystemSupport", "TLSSamples", "TestSupport", "UniversalLinks",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "EventLoopsTests",
            dependencies: ["EventLoops", "FuzzingSupport", "DomainNames", "SystemSupport", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "AppProjectsTests",
            dependencies: [
                "Diagnostics", "FuzzingSupport", "AppProjects", "AppSamples", "SystemSupport", "TestSupport", "Fuzzing",
                "OpenSSL", "PushSamples", "URLPatterns", "Android", "AppSiteAssociation", "AssociationLint",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "URLPatternsTests", dependencies: ["URLPatterns", "Fuzzing", "FuzzingSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "AppSiteAssociationTests",
            dependencies: ["URLPatterns", "AppSiteAssociation", "Diagnostics", "FuzzingSupport", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "AndroidTests",
            dependencies: [
                "Android", "AppProjects", "AppSamples", "Diagnostics", "FuzzingSupport", "URLPatterns", "JSONSyntax",
                "AppSiteAssociation", "Fuzzing", "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "LinkPagesTests",
            dependencies: ["Diagnostics", "DomainNames", "Fuzzing", "FuzzingSupport", "LinkPages"],
            swiftSettings: tests),
        .testTarget(
            name: "LinkImportTests",
            dependencies: ["Diagnostics", "DomainNames", "Fuzzing", "FuzzingSupport", "LinkImport", "LinkPages"],
            swiftSettings: tests),
        .testTarget(
            name: "PatternAnalysisTests",
            dependencies: [
                "Android", "AppProjects", "AppSamples", "AppSiteAssociation", "Diagnostics", "Fuzzing",
                "FuzzingSupport", "JSONSyntax", "PatternAnalysis", "URLPatterns",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "AssociationLintTests",
            dependencies: [
                "URLPatterns", "Android", "AppSiteAssociation", "AssociationLint", "Diagnostics", "Fuzzing",
                "FuzzingSupport", "JSONSyntax", "PatternAnalysis", "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "AssociationConsoleTests",
            dependencies: [
                "AssociationConsole", "AssociationLint", "ConsoleSamples", "Diagnostics", "FuzzingSupport", "HTTP1",
                "ServiceHealth", "SystemSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "AssociationFilesTests",
            dependencies: [
                "Android", "AppSiteAssociation", "AssociationFiles", "AssociationLint", "Diagnostics", "DomainNames",
                "JSONSyntax", "LinkPages", "PatternAnalysis", "SystemSupport", "TestSupport",
            ],
            swiftSettings: tests),
        .target(name: "ShopExample", dependencies: ["LinkDelivery"], path: "Tests/ShopExample"),
        .testTarget(
            name: "UniversalLinksTests",
            dependencies: [
                "URLPatterns", "AppSiteAssociation", "Diagnostics", "Fuzzing", "FuzzingSupport", "SystemSupport",
                "TestSupport", "UniversalLinks",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "LinkDeliveryTests",
            dependencies: [
                "AppSiteAssociation", "AssociationLint", "FuzzingSupport", "LinkDelivery", "ShopExample", "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "AssociationServerTests",
            dependencies: [
                "FindingCatalogue", "ACME", "AssociationConsole", "AssociationFiles", "AssociationLint",
                "AssociationServer", "Diagnostics", "EventLoops", "FuzzingSupport", "HTTP1", "HTTP2", "JSONSyntax",
                "LinkPages", "OpenSSL", "DomainNames", "PushSamples", "ServiceHealth", "SiteStore", "SystemSupport",
                "TLSSamples", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "ACMETests",
            dependencies: [
                "ACME", "Diagnostics", "DomainNames", "Fuzzing", "FuzzingSupport", "OpenSSL", "PushSamples",
                "TLSSamples", "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "PostgreSQLStoreTests",
            dependencies: [
                "Diagnostics", "OpenSSL", "PostgreSQLStore", "SiteStore", "SystemSupport", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "SiteStoreTests",
            dependencies: [
                "Diagnostics", "Fuzzing", "FuzzingSupport", "OpenSSL", "SiteStore", "SystemSupport", "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "ServiceHealthTests",
            dependencies: ["ACME", "Diagnostics", "ServiceHealth", "SiteStore", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "AutomaticCertificatesTests",
            dependencies: [
                "ACME", "AssociationServer", "AutomaticCertificates", "ServiceHealth", "Diagnostics", "EventLoops",
                "HTTPClient", "OpenSSL", "DomainNames", "PushSamples", "SystemSupport", "TLSSamples", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "IssuanceTests",
            dependencies: ["FuzzingSupport", "OpenSSL", "SystemSupport", "TLSSamples", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "PushCertificatesTests",
            dependencies: [
                "Diagnostics", "OpenSSL", "PushCertificates", "PushSamples", "SystemSupport", "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "FindingCatalogue", "ACME", "AppSamples", "AssociationLint", "AssociationServer",
                "AutomaticCertificates", "ServiceHealth", "CommandLineSupport", "Diagnostics", "DomainNames",
                "FrameSamples", "Fuzzing", "FuzzingSupport", "HostRecipes", "OpenSSL", "PushCertificates",
                "PushSamples", "SystemSupport", "TLSSamples", "TestSupport",
            ],
            swiftSettings: tests),
    ]
)
