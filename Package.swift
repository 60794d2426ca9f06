// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target.
///
/// - `ExistentialAny`: <https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md>
/// - `MemberImportVisibility`: <https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md>
/// - `InternalImportsByDefault`: <https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md>
/// - `NonisolatedNonsendingByDefault`: <https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md>
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// The settings of targets that parse untrusted bytes or use C pointers: unsafe expressions are marked with `unsafe`.
let strictSettings: [SwiftSetting] = settings + [.strictMemorySafety()]

/// Products of other packages.
///
/// All of them except the cryptography depend on a trait. A package that uses only `PurchaseProof`, or `PurchaseKit` on Apple's
/// platforms, with `traits: []` does not fetch the others.
extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Commands"]))
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Client"]))
    static let configuration = product(name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Server"]))
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let deque = product(name: "DequeModule", package: "swift-collections", condition: .when(traits: ["Client"]))
    static let grdb = product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Client"]))
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Server"]))
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"]))
    static let hummingbirdTLS = product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["Server"]))
    static let hummingbirdTesting = product(name: "HummingbirdTesting", package: "hummingbird", condition: .when(traits: ["Server"]))
    static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"]))
    static let logging = product(name: "Logging", package: "swift-log", condition: .when(traits: ["Client"]))
    static let metrics = product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Server"]))
    static let mustache = product(name: "Mustache", package: "swift-mustache", condition: .when(traits: ["Server"]))
    static let nioCore = product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Client"]))
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Client"]))
    static let nioFoundation = product(name: "NIOFoundationCompat", package: "swift-nio", condition: .when(traits: ["Client"]))
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Client"]))
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["Server"]))
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Client"]))
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"]))
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle", condition: .when(traits: ["Server"]))
    static let x509 = product(name: "X509", package: "swift-certificates")
}

// On Linux `import StoreKit` imports this package's module, on Apple's platforms the system's.
#if os(Linux)
    let storeKitTargets = ["StoreKit"]
    let storeKitTestTargets = ["StoreKitTest"]
#else
    let storeKitTargets: [String] = []
    let storeKitTestTargets: [String] = []
#endif
// PurchaseKit uses URLSession on Apple's platforms.
#if os(Linux)
    let kitTransport: [Target.Dependency] = ["WireClient"]
#else
    let kitTransport: [Target.Dependency] = []
#endif
let storeKit = storeKitTargets.map { Target.Dependency.target(name: $0) }
let storeKitTest = storeKit + storeKitTestTargets.map { Target.Dependency.target(name: $0) }

let package = Package(
    name: "tillroll",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "PurchaseModel", targets: ["PurchaseModel"]),
        .library(name: "PurchaseProof", targets: ["PurchaseProof"]),
        .library(name: "MessageSignatures", targets: ["MessageSignatures"]),
        .library(name: "AppStoreServerAPI", targets: ["AppStoreServerAPI"]),
        .library(name: "ContentStorage", targets: ["ContentStorage"]),
        .library(name: "OpenStoreKit", targets: ["OpenStoreKit"] + storeKitTargets),
        .library(name: "OpenStoreKitTest", targets: ["OpenStoreKitTest"] + storeKitTestTargets),
        .library(name: "PurchaseKit", targets: ["PurchaseKit"]),
        .library(name: "StoreControl", targets: ["StoreControl", "StoreProtocol"]),
        .library(name: "LocalAppStore", targets: ["LocalAppStore", "WireServer"]),
        .library(name: "PurchaseServer", targets: ["PurchaseServer", "PurchaseStorage", "WireServer"]),
        .library(name: "PurchaseMaintenance", targets: ["PurchaseMaintenance"]),
        .library(name: "PurchaseStorageTesting", targets: ["PurchaseStorageTesting"]),
        .library(name: "PurchaseConsole", targets: ["PurchaseConsole"]),
        .executable(name: "tillroll", targets: ["tillroll"]),
        .executable(name: "tillroll-server", targets: ["tillroll-server"]),
        .executable(name: "monkeyshop", targets: ["MonkeyShopCommand"]),
    ],
    traits: [
        .default(enabledTraits: ["Commands"]),
        .trait(
            name: "Client",
            description: "AppStoreServerAPI, ContentStorage, OpenStoreKit, StoreControl; on Linux PurchaseKit: HTTP client, SQLite"),
        .trait(name: "Server", description: "LocalAppStore, PurchaseServer and PurchaseConsole: an HTTP server", enabledTraits: ["Client"]),
        .trait(name: "Commands", description: "tillroll, tillroll-server and monkeyshop", enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // What Foundation lacks, private files, C enumerations, and the module map of libpq.
        .target(name: "FoundationExtras", swiftSettings: strictSettings),
        .target(name: "PrivateFiles", dependencies: [.crypto], swiftSettings: strictSettings),
        .target(name: "CStoreKit"),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        // The domain.
        .target(name: "PurchaseModel", dependencies: ["FoundationExtras"], swiftSettings: strictSettings),

        // The protocols between this package's clients and servers. Only values that StoreControl returns are public.
        .target(name: "Wire", dependencies: ["FoundationExtras"], swiftSettings: strictSettings),
        .target(name: "ServerProtocol", dependencies: ["FoundationExtras", "PurchaseModel", "Wire"], swiftSettings: strictSettings),
        .target(name: "StoreProtocol", dependencies: ["FoundationExtras", "PurchaseModel", "Wire"], swiftSettings: strictSettings),

        // Verification of signed data.
        .target(
            name: "PurchaseProof",
            dependencies: ["FoundationExtras", "PurchaseModel", .asn1, .crypto, .cryptoExtras, .x509],
            swiftSettings: strictSettings
        ),

        // The manifests of content.
        .target(
            name: "ContentManifest", dependencies: ["FoundationExtras", "PurchaseModel", .crypto], swiftSettings: strictSettings
        ),

        // Signatures of HTTP messages, and leases.
        .target(
            name: "MessageSignatures",
            dependencies: ["PurchaseModel", "PurchaseProof", .crypto],
            swiftSettings: strictSettings
        ),

        // HTTP client and HTTP server of the protocols.
        .target(
            name: "WireClient",
            dependencies: ["FoundationExtras", "PurchaseModel", "Wire", .asyncHTTPClient, .nioCore, .nioFoundation, .nioHTTP1],
            swiftSettings: settings
        ),
        .target(
            name: "WireServer",
            dependencies: [
                "FoundationExtras", "PurchaseModel", "Wire", .httpTypes, .hummingbird, .lifecycle, .logging, .nioCore, .nioFoundation,
                .nioHTTP1, .nioHTTPTypes,
            ],
            swiftSettings: settings
        ),

        // Issuing, the client of the App Store Server API, the storage of content, the client of a local store, and the device.
        .target(
            name: "PurchaseIssuing",
            dependencies: ["FoundationExtras", "PurchaseModel", "PurchaseProof", .asn1, .crypto, .cryptoExtras, .x509],
            swiftSettings: strictSettings
        ),
        .target(
            name: "AppStoreServerAPI",
            dependencies: [
                "FoundationExtras", "PurchaseModel", "PurchaseProof", "WireClient", .asyncHTTPClient, .nioCore, .nioFoundation,
                .nioHTTP1, .nioPosix,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "ContentStorage",
            dependencies: [
                "ContentManifest", "FoundationExtras", "PrivateFiles", "PurchaseModel", "WireClient", .asyncHTTPClient, .crypto, .nioCore,
                .nioFoundation, .nioHTTP1, .nioPosix,
            ],
            swiftSettings: strictSettings
        ),
        .target(
            name: "StoreControl",
            dependencies: ["FoundationExtras", "PurchaseModel", "StoreProtocol", "Wire", "WireClient"],
            swiftSettings: settings
        ),
        .target(
            name: "OpenStoreKit",
            dependencies: [
                "FoundationExtras", "PrivateFiles", "PurchaseModel", "PurchaseProof", "StoreProtocol", "Wire", "WireClient",
                .deque, .grdb, .logging,
            ],
            swiftSettings: settings
        ),
        .target(name: "LibPQ", dependencies: ["CLibPQ", .deque], swiftSettings: strictSettings),

        // App kit, store, server, console.
        .target(
            name: "PurchaseKit",
            dependencies: [
                "ContentManifest", "FoundationExtras", "MessageSignatures", "PrivateFiles", "PurchaseModel", "PurchaseProof",
                "ServerProtocol", "Wire", .crypto, .cryptoExtras,
            ] + storeKit + kitTransport,
            swiftSettings: settings
        ),
        .target(
            name: "LocalAppStore",
            dependencies: [
                "FoundationExtras", "PrivateFiles", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "StoreProtocol", "Wire",
                "WireServer", .asyncHTTPClient, .crypto, .deque, .grdb, .httpTypes, .hummingbird, .hummingbirdTLS, .lifecycle, .logging,
                .nioCore, .nioFoundation, .nioHTTP1, .nioHTTPTypes, .nioPosix, .nioSSL,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PurchaseStorage",
            dependencies: [
                "ContentStorage", "FoundationExtras", "LibPQ", "PrivateFiles", "PurchaseModel", "PurchaseProof", .crypto, .deque,
                .grdb,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PurchaseServer",
            dependencies: [
                "AppStoreServerAPI", "ContentStorage", "FoundationExtras", "LibPQ", "MessageSignatures", "PrivateFiles", "PurchaseModel",
                "PurchaseProof", "PurchaseStorage", "ServerProtocol", "Wire", "WireClient", "WireServer", .configuration, .crypto, .grdb,
                .httpTypes, .hummingbird, .lifecycle, .logging, .metrics, .nioCore, .nioFoundation,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PurchaseMaintenance",
            dependencies: [
                "AppStoreServerAPI", "FoundationExtras", "LibPQ", "PrivateFiles", "PurchaseModel", "PurchaseProof", "PurchaseServer",
                "PurchaseStorage", "ServerProtocol", .crypto, .deque, .grdb,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PurchaseStorageTesting",
            dependencies: ["ContentStorage", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseStorage"],
            swiftSettings: settings
        ),
        .target(
            name: "PurchaseConsole",
            dependencies: ["PurchaseModel", "ServerProtocol", .crypto, .hummingbird, .logging, .mustache],
            resources: [.embedInCode("Pages"), .embedInCode("StorePages"), .embedInCode("Styles")],
            swiftSettings: settings
        ),

        // Additions to StoreKitTest's API.
        .target(
            name: "OpenStoreKitTest",
            dependencies: ["LocalAppStore", "OpenStoreKit", "PurchaseModel"] + storeKitTestTargets.map { .target(name: $0) },
            swiftSettings: settings
        ),

        // The commands, and their version.
        .target(name: "Release", swiftSettings: settings),
        .executableTarget(
            name: "tillroll",
            dependencies: [
                "FoundationExtras", "LocalAppStore", "PrivateFiles", "PurchaseConsole", "PurchaseIssuing", "PurchaseModel",
                "PurchaseProof", "PurchaseServer", "Release", "StoreControl", "StoreProtocol", "Wire", "WireClient", "WireServer",
                .argumentParser,
                .asn1, .asyncHTTPClient, .crypto, .hummingbird, .lifecycle, .logging, .nioCore, .nioHTTP1, .nioPosix, .unixSignals, .x509,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "tillroll-server",
            dependencies: [
                "ContentStorage", "PurchaseConsole", "PurchaseMaintenance", "PurchaseModel", "PurchaseServer", "PurchaseStorage", "Release",
                "ServerProtocol", "Wire", "WireServer",
                .argumentParser, .configuration, .hummingbird, .lifecycle, .logging, .nioCore, .unixSignals,
            ],
            swiftSettings: settings
        ),

        // Example apps with the code of apps for Apple's platforms.
        .executableTarget(name: "CoinShop", dependencies: storeKit, path: "Examples/CoinShop", packageAccess: false),
        .executableTarget(name: "FilterShop", dependencies: storeKit, path: "Examples/FilterShop", packageAccess: false),
        .executableTarget(
            name: "KitShop", dependencies: ["OpenStoreKit", "PurchaseKit", "PurchaseModel", "PurchaseProof"] + storeKit,
            path: "Examples/KitShop", packageAccess: false),

        // The sample app, and the tour, the page and the terminal that run it.
        .target(
            name: "MonkeyShop",
            dependencies: ["PurchaseKit"] + storeKit,
            path: "Examples/MonkeyShop/App",
            resources: [.embedInCode("Resources/MonkeyShop.storekit"), .embedInCode("Resources/products.json")],
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "MonkeyShopBackend",
            dependencies: [
                "LocalAppStore", "MonkeyShop", "OpenStoreKit", "PurchaseKit", "PurchaseModel", "PurchaseProof", "PurchaseServer",
                "PurchaseStorage", "StoreControl", .asyncHTTPClient, .hummingbird, .lifecycle, .logging, .nioCore, .nioFoundation,
                .nioHTTP1,
            ] + storeKit,
            path: "Examples/MonkeyShop/Backend",
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "TillrollTour",
            dependencies: [
                "LocalAppStore", "MonkeyShop", "MonkeyShopBackend", "OpenStoreKit", "PurchaseKit", "PurchaseModel", "PurchaseProof",
                "PurchaseServer", "StoreControl", .hummingbird, .logging, .nioCore, .nioPosix,
            ] + storeKit,
            path: "Examples/MonkeyShop/Tour",
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "MonkeyShopUI",
            dependencies: [
                "LocalAppStore", "MonkeyShop", "MonkeyShopBackend", "OpenStoreKit", "PurchaseKit", "PurchaseModel", "PurchaseProof",
                "PurchaseServer", "StoreControl", "WireServer", .crypto, .httpTypes, .hummingbird, .lifecycle, .logging, .mustache,
                .nioCore,
            ] + storeKit,
            path: "Examples/MonkeyShop/UI",
            resources: [.embedInCode("Pages")],
            packageAccess: false,
            swiftSettings: settings
        ),
        .executableTarget(
            name: "MonkeyShopCommand",
            dependencies: [
                "LocalAppStore", "MonkeyShop", "MonkeyShopBackend", "MonkeyShopUI", "PurchaseConsole", "PurchaseModel", "PurchaseServer",
                "StoreControl", "TillrollTour", "WireServer", .argumentParser, .hummingbird, .lifecycle, .logging, .nioCore, .nioPosix,
                .unixSignals,
            ],
            path: "Examples/MonkeyShop/Command",
            packageAccess: false,
            swiftSettings: settings
        ),

        // Test support and executables for tests.
        .target(
            name: "PurchaseTestSupport",
            dependencies: ["PrivateFiles", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", .logging, .nioCore, .nioPosix],
            path: "Tests/PurchaseTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "ContentTestSupport",
            dependencies: ["ContentStorage", "PurchaseModel"],
            path: "Tests/ContentTestSupport",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ForgeryMaker",
            dependencies: [
                "FoundationExtras", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport", .asn1, .crypto,
                .cryptoExtras, .x509,
            ],
            path: "Tests/ForgeryMaker",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "DeviceProcess",
            dependencies: ["OpenStoreKit", "PurchaseModel", .crypto, .logging] + storeKit,
            path: "Tests/DeviceProcess",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "KitProcess",
            dependencies: [
                "FoundationExtras", "OpenStoreKit", "PurchaseKit", "PurchaseModel", "PurchaseProof", "ServerProtocol", "Wire", .crypto,
                .logging,
            ] + storeKit,
            path: "Tests/KitProcess",
            swiftSettings: settings
        ),
        .target(
            name: "PostgresTestSupport",
            dependencies: ["LibPQ"],
            path: "Tests/PostgresTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "FoundationExtras", "LocalAppStore", "OpenStoreKit", "PurchaseIssuing", "PurchaseModel", "PurchaseProof",
                "PurchaseTestSupport", "StoreProtocol", "Wire", "WireClient", .grdb, .httpTypes, .hummingbird, .hummingbirdTesting,
                .nioCore, .nioFoundation,
            ] + storeKit,
            path: "Tests/StoreTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "ProcessTestSupport",
            dependencies: [
                "FoundationExtras", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport", "ServerProtocol",
                "StoreTestSupport", "Wire", "WireClient", .httpTypes, .hummingbird, .nioCore, .nioFoundation, .nioPosix,
            ],
            path: "Tests/ProcessTestSupport",
            swiftSettings: settings
        ),
    ]
)

// StoreKit's API on Linux.
#if os(Linux)
    package.targets += [
        .target(
            name: "StoreKit",
            dependencies: ["CStoreKit", "OpenStoreKit", "PurchaseModel", "PurchaseProof", "StoreProtocol", .crypto],
            swiftSettings: settings
        ),
        .target(
            name: "StoreKitTest",
            dependencies: ["LocalAppStore", "OpenStoreKit", "PrivateFiles", "PurchaseModel", "StoreKit", "StoreProtocol", .logging],
            swiftSettings: settings
        ),
    ]
#endif

/// The dependencies of the test targets, by the names without `Tests`.
let testDependencies: [String: [Target.Dependency]] = [
    "FoundationExtras": ["FoundationExtras"],
    "PrivateFiles": ["PrivateFiles", "PurchaseTestSupport"],
    "PurchaseModel": ["FoundationExtras", "PurchaseModel", "PurchaseTestSupport"],
    "PurchaseProof": [
        "FoundationExtras", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport", .asn1, .crypto, .cryptoExtras,
        .x509,
    ],
    "PurchaseIssuing": [
        "FoundationExtras", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport", .asn1, .crypto, .cryptoExtras,
        .x509,
    ],
    "Wire": ["PurchaseModel", "Wire"],
    "MessageSignatures": ["MessageSignatures", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport"],
    "AppStoreServerAPI": [
        "AppStoreServerAPI", "FoundationExtras", "LocalAppStore", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport", "StoreProtocol",
        "StoreTestSupport", "Wire", .grdb, .httpTypes, .hummingbird, .hummingbirdTesting, .nioCore, .nioFoundation,
    ],
    "ContentStorage": [
        "ContentStorage", "ContentTestSupport", "PurchaseModel", "PurchaseTestSupport", .crypto, .httpTypes, .hummingbird,
        .hummingbirdTesting, .nioCore, .nioFoundation,
    ],
    "WireServer": [
        "FoundationExtras", "PurchaseModel", "PurchaseTestSupport", "Wire", "WireClient", "WireServer", .httpTypes, .hummingbird,
        .hummingbirdTesting, .logging, .nioCore, .nioFoundation, .nioPosix,
    ],
    "OpenStoreKitTest": ["OpenStoreKit", "OpenStoreKitTest", "PurchaseTestSupport"] + storeKitTest,
    "OpenStoreKit": [
        "FoundationExtras", "LocalAppStore", "OpenStoreKit", "PrivateFiles", "PurchaseIssuing", "PurchaseModel", "PurchaseProof",
        "PurchaseTestSupport", "StoreProtocol", "StoreTestSupport", "Wire", "WireClient", .crypto, .grdb,
    ] + storeKit,
    "LibPQ": ["LibPQ", "PostgresTestSupport", "PurchaseTestSupport"],
    "PurchaseKit": [
        "ContentStorage", "FoundationExtras", "LocalAppStore", "MessageSignatures", "OpenStoreKit", "PrivateFiles", "PurchaseIssuing",
        "PurchaseKit", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport", "ServerProtocol", "StoreProtocol", "StoreTestSupport",
        "Wire", .crypto, .httpTypes, .hummingbird, .logging, .nioCore,
    ] + storeKit,
    "LocalAppStore": [
        "FoundationExtras", "LocalAppStore", "OpenStoreKit", "PrivateFiles", "PurchaseIssuing", "PurchaseModel", "PurchaseProof",
        "PurchaseTestSupport", "StoreProtocol", "StoreTestSupport", "Wire", "WireClient", "WireServer", .asyncHTTPClient, .crypto, .grdb,
        .httpTypes, .hummingbird, .hummingbirdTesting, .nioCore, .nioFoundation, .nioHTTP1, .nioPosix, .nioSSL,
    ],
    "PurchaseServer": [
        "AppStoreServerAPI", "ContentStorage", "FoundationExtras", "LibPQ", "LocalAppStore", "MessageSignatures", "PostgresTestSupport",
        "PurchaseIssuing", "PurchaseMaintenance", "PurchaseModel", "PurchaseProof", "PurchaseServer", "PurchaseStorage",
        "PurchaseStorageTesting", "PurchaseTestSupport",
        "ServerProtocol", "StoreProtocol", "StoreTestSupport", "Wire", "WireServer", .configuration, .crypto, .grdb, .httpTypes,
        .hummingbird, .hummingbirdTesting, .logging, .metrics, .nioCore, .nioFoundation,
    ],
    "PurchaseConsole": [
        "LocalAppStore", "PurchaseConsole", "PurchaseModel", "PurchaseTestSupport", "ServerProtocol", .crypto, .hummingbird,
        .hummingbirdTesting, .lifecycle,
    ],
    "MonkeyShop": [
        "LocalAppStore", "MonkeyShop", "MonkeyShopBackend", "OpenStoreKit", "PurchaseKit", "PurchaseModel", "PurchaseProof",
        "PurchaseServer", "PurchaseStorage", "PurchaseTestSupport", "ServerProtocol", "StoreProtocol", "StoreTestSupport", "Wire",
        "WireClient", .crypto,
        .httpTypes, .hummingbird, .nioCore,
    ] + storeKit,
    "MonkeyShopCommand": [
        "FoundationExtras", "MonkeyShopBackend", "MonkeyShopCommand", "ProcessTestSupport", "PurchaseModel", "PurchaseProof",
        "PurchaseTestSupport",
        "ServerProtocol", "StoreProtocol", "StoreTestSupport", "TillrollTour", "Wire", "WireClient", "tillroll", .logging, .nioCore,
        .nioPosix,
    ],
    "MonkeyShopUI": [
        "MonkeyShop", "MonkeyShopUI", "PurchaseModel", "PurchaseServer", "PurchaseTestSupport", "StoreTestSupport", .httpTypes,
        .hummingbird, .hummingbirdTesting, .nioCore,
    ],
    "EndToEnd": [
        "CoinShop", "ContentStorage", "ContentTestSupport", "DeviceProcess", "FilterShop", "ForgeryMaker", "FoundationExtras",
        "KitProcess", "KitShop", "LibPQ", "LocalAppStore", "PostgresTestSupport", "PrivateFiles", "ProcessTestSupport", "PurchaseIssuing",
        "PurchaseKit", "PurchaseModel", "PurchaseProof", "PurchaseServer", "PurchaseStorage", "PurchaseTestSupport", "Release",
        "ServerProtocol",
        "StoreProtocol", "StoreTestSupport", "Wire", "WireClient", "tillroll", "tillroll-server", .argumentParser, .crypto, .grdb,
        .httpTypes, .hummingbird, .logging, .nioCore, .nioPosix,
    ],
    "SystemSimulation": [
        "AppStoreServerAPI", "FoundationExtras", "LocalAppStore", "OpenStoreKit", "PurchaseIssuing", "PurchaseKit", "PurchaseModel",
        "PurchaseProof", "PurchaseServer", "PurchaseStorage", "PurchaseTestSupport", "ServerProtocol", "StoreProtocol", "StoreTestSupport",
        "Wire", .grdb,
        .httpTypes, .hummingbird, .logging, .nioCore, .nioEmbedded, .nioFoundation,
    ] + storeKit,
    "TillrollTour": [
        "LocalAppStore", "MonkeyShop", "MonkeyShopBackend", "OpenStoreKit", "PurchaseKit", "PurchaseModel", "PurchaseProof",
        "PurchaseTestSupport", "StoreControl", "TillrollTour", .httpTypes, .hummingbird, .logging, .nioCore,
    ] + storeKit,
]

for (name, dependencies) in testDependencies.sorted(by: { $0.key < $1.key }) {
    // The tests read the scripts from the source folder.
    let excluded = name == "SystemSimulation" ? ["Scripts"] : []
    package.targets.append(.testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: excluded, swiftSettings: settings))
}

// Tests of PurchaseProof without access to `package` declarations, as in another package.
package.targets.append(
    .testTarget(
        name: "PurchaseProofOutsideTests", dependencies: ["PurchaseModel", "PurchaseProof"], packageAccess: false, swiftSettings: settings)
)

// The code of PurchaseKit's guides, without access to `package` declarations, as in an app.
package.targets.append(
    .testTarget(
        name: "PurchaseKitOutsideTests",
        dependencies: [
            "KitShop", "MessageSignatures", "OpenStoreKit", "OpenStoreKitTest", "PurchaseKit", "PurchaseModel", "PurchaseProof",
        ] + storeKitTest,
        resources: [.copy("KitShop.storekit")], packageAccess: false, swiftSettings: [.treatAllWarnings(as: .error)])
)

// A storage without access to `package` declarations, as in another package.
package.targets.append(
    .testTarget(
        name: "PurchaseStorageOutsideTests",
        dependencies: [
            "ContentStorage", "PurchaseModel", "PurchaseProof", "PurchaseServer", "PurchaseStorage", "PurchaseStorageTesting", .logging,
        ],
        packageAccess: false, swiftSettings: settings)
)

// The client of a local store without access to `package` declarations, as in the tests of an app or a server.
package.targets.append(
    .testTarget(
        name: "StoreControlTests",
        dependencies: [
            "LocalAppStore", "PurchaseModel", "StoreControl", "tillroll", .httpTypes, .hummingbird, .hummingbirdTesting, .lifecycle,
            .logging, .nioCore,
        ],
        packageAccess: false, swiftSettings: settings)
)

// Tests with hostile input for the executables and the libraries, each with a time limit.
package.targets.append(
    .testTarget(
        name: "HostileTests",
        dependencies: [
            "FoundationExtras", "LocalAppStore", "MonkeyShopCommand", "ProcessTestSupport", "PurchaseIssuing", "PurchaseModel",
            "PurchaseProof",
            "PurchaseServer", "PurchaseStorage", "PurchaseTestSupport", "ServerProtocol", "StoreProtocol", "StoreTestSupport", "Wire",
            "WireClient", "tillroll", "tillroll-server", .grdb, .logging, .nioCore, .nioPosix,
        ],
        swiftSettings: settings
    )
)

// Tests with XCTest and Swift 5, as in existing apps.
package.targets.append(
    .testTarget(
        name: "XCTestSessionTests", dependencies: storeKitTest,
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)])
)

// TEST_TARGETS=PurchaseModelTests,HostileTests builds only the named test targets, which is faster after a change.
if let suites = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.isTest && !suites.contains($0.name) }
}
