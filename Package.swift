// swift-tools-version: 6.2
import PackageDescription

/// What every Swift room is built with.
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

/// For the rooms that read hostile bytes or C pointers: every unsafe expression carries its reason.
let strictSettings: [SwiftSetting] = settings + [.strictMemorySafety()]

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
    static let configuration = product(name: "Configuration", package: "swift-configuration")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdTLS = product(name: "HummingbirdTLS", package: "hummingbird")
    static let hummingbirdTesting = product(name: "HummingbirdTesting", package: "hummingbird")
    static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let logging = product(name: "Logging", package: "swift-log")
    static let mustache = product(name: "Mustache", package: "swift-mustache")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioFoundation = product(name: "NIOFoundationCompat", package: "swift-nio")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let x509 = product(name: "X509", package: "swift-certificates")
}

let package = Package(
    name: "tillroll",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "PurchaseModel", targets: ["PurchaseModel"]),
        .library(name: "PurchaseProof", targets: ["PurchaseProof"]),
        .library(name: "OpenStoreKit", targets: ["OpenStoreKit"]),
        .library(name: "OpenStoreKitTest", targets: ["OpenStoreKitTest"]),
        .library(name: "PurchaseKit", targets: ["PurchaseKit"]),
        .library(name: "LocalAppStore", targets: ["LocalAppStore"]),
        .library(name: "PurchaseServer", targets: ["PurchaseServer"]),
        .library(name: "PurchaseConsole", targets: ["PurchaseConsole"]),
        .executable(name: "tillroll", targets: ["tillroll"]),
        .executable(name: "tillroll-server", targets: ["tillroll-server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // Layer 0: the words, files that only their owner can read, the enumerations that only C has, and the door to C.
        .target(name: "PurchaseModel", swiftSettings: strictSettings),
        .target(name: "PrivateFiles", swiftSettings: strictSettings),
        .target(name: "CStoreKit"),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        // Layer 1: signed bytes ⇄ verified values.
        .target(
            name: "PurchaseProof",
            dependencies: ["PurchaseModel", .asn1, .crypto, .cryptoExtras, .x509],
            swiftSettings: strictSettings
        ),

        // Layer 1: one way to call an endpoint, one way to mount it.
        .target(
            name: "WireClient",
            dependencies: ["PurchaseModel", .asyncHTTPClient, .nioCore, .nioFoundation, .nioHTTP1],
            swiftSettings: settings
        ),
        .target(
            name: "WireServer",
            dependencies: [
                "PurchaseModel", .httpTypes, .hummingbird, .lifecycle, .logging, .nioCore, .nioFoundation, .nioHTTPTypes,
            ],
            swiftSettings: settings
        ),

        // Layer 2.
        .target(
            name: "PurchaseIssuing",
            dependencies: ["PurchaseModel", "PurchaseProof", .asn1, .crypto, .cryptoExtras, .x509],
            swiftSettings: strictSettings
        ),
        .target(
            name: "OpenStoreKit",
            dependencies: [
                "CStoreKit", "PrivateFiles", "PurchaseModel", "PurchaseProof", "WireClient", .crypto, .grdb, .logging, .nioHTTP1,
            ],
            swiftSettings: settings
        ),
        .target(name: "LibPQ", dependencies: ["CLibPQ"], swiftSettings: strictSettings),

        // Layer 3: client, store, server, console, sample app.
        .target(
            name: "PurchaseKit",
            dependencies: [
                "OpenStoreKit", "PrivateFiles", "PurchaseModel", "PurchaseProof", "WireClient", .asyncHTTPClient, .crypto, .nioCore,
                .nioFoundation, .nioHTTP1,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LocalAppStore",
            dependencies: [
                "PrivateFiles", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "WireServer", .asyncHTTPClient, .crypto, .grdb,
                .httpTypes, .hummingbird, .hummingbirdTLS, .lifecycle, .logging, .nioCore, .nioFoundation, .nioHTTP1, .nioHTTPTypes,
                .nioPosix, .nioSSL,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PurchaseServer",
            dependencies: [
                "PrivateFiles", "PurchaseModel", "PurchaseProof", "WireClient", "WireServer", .configuration, .crypto, .grdb, .httpTypes,
                .hummingbird, .lifecycle, .logging, .nioCore, .nioFoundation, .nioPosix,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PurchaseConsole",
            dependencies: ["PurchaseModel", .crypto, .hummingbird, .logging, .mustache],
            resources: [.embedInCode("Pages"), .embedInCode("StorePages")],
            swiftSettings: settings
        ),
        .target(
            name: "MonkeyShop",
            dependencies: ["OpenStoreKit", "PrivateFiles", "PurchaseKit", "PurchaseModel", "PurchaseProof", "WireClient"],
            resources: [.embedInCode("Resources/MonkeyShop.storekit"), .embedInCode("Resources/products.json")],
            swiftSettings: settings
        ),

        // Layer 4: a store and a device for each test.
        .target(
            name: "OpenStoreKitTest",
            dependencies: ["LocalAppStore", "OpenStoreKit", "PurchaseModel", "WireClient", .logging],
            swiftSettings: settings
        ),

        // Layer 4: the story of the whole, as a library so that tests can play it.
        .target(
            name: "TillrollTour",
            dependencies: [
                "LocalAppStore", "MonkeyShop", "OpenStoreKit", "PrivateFiles", "PurchaseIssuing", "PurchaseKit", "PurchaseModel",
                "PurchaseProof", "PurchaseServer", "WireClient", .asyncHTTPClient, .hummingbird, .lifecycle, .logging, .nioCore,
                .nioFoundation, .nioHTTP1,
                .nioPosix,
            ],
            swiftSettings: settings
        ),

        // Layer 5: the commands.
        .executableTarget(
            name: "tillroll",
            dependencies: [
                "LocalAppStore", "MonkeyShop", "OpenStoreKit", "PrivateFiles", "PurchaseConsole", "PurchaseIssuing", "PurchaseKit",
                "PurchaseModel", "PurchaseProof", "PurchaseServer", "TillrollTour", "WireClient", "WireServer", .argumentParser, .asn1,
                .asyncHTTPClient, .crypto, .hummingbird, .lifecycle, .logging, .nioCore, .nioHTTP1, .unixSignals, .x509,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "tillroll-server",
            dependencies: [
                "PurchaseConsole", "PurchaseModel", "PurchaseServer", "WireServer", .argumentParser, .configuration, .hummingbird,
                .lifecycle, .logging, .nioCore, .unixSignals,
            ],
            swiftSettings: settings
        ),

        // Apps as others write them: one import differs from what they are on Apple's platforms.
        .executableTarget(name: "CoinShop", dependencies: ["OpenStoreKit"], path: "Examples/CoinShop"),
        .executableTarget(name: "FilterShop", dependencies: ["OpenStoreKit"], path: "Examples/FilterShop"),

        // Tests mirror the rooms.
        .target(
            name: "PurchaseTestSupport",
            dependencies: ["PurchaseIssuing", "PurchaseModel", "PurchaseProof", .logging, .nioCore, .nioPosix],
            path: "Tests/PurchaseTestSupport",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ForgeryMaker",
            dependencies: [
                "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport", .asn1, .crypto, .cryptoExtras, .x509,
            ],
            path: "Tests/ForgeryMaker",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "DeviceProcess",
            dependencies: ["OpenStoreKit", "PurchaseModel", .logging],
            path: "Tests/DeviceProcess",
            swiftSettings: settings
        ),
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "LocalAppStore", "MonkeyShop", "OpenStoreKit", "PurchaseModel", "PurchaseTestSupport", "WireClient", .asyncHTTPClient,
                .hummingbird, .logging, .nioHTTP1,
            ],
            path: "Tests/StoreTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "ProcessTestSupport",
            dependencies: [
                "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport", "TillrollTour", "WireClient", .httpTypes,
                .hummingbird, .logging, .nioCore, .nioFoundation,
            ],
            path: "Tests/ProcessTestSupport",
            swiftSettings: settings
        ),
    ]
)

/// What a room's tests need besides the room, the model, the proof and the support.
let testDependencies: [String: [Target.Dependency]] = [
    "PrivateFiles": [],
    "PurchaseModel": [],
    "PurchaseProof": [],
    "PurchaseIssuing": [],
    "WireServer": ["WireClient", .httpTypes, .hummingbird, .hummingbirdTesting, .nioCore, .nioFoundation],
    "OpenStoreKitTest": ["LocalAppStore", "OpenStoreKit"],
    "OpenStoreKit": ["StoreTestSupport", "WireClient", .crypto, .grdb],
    "LibPQ": [],
    "PurchaseKit": [
        "LocalAppStore", "MonkeyShop", "OpenStoreKit", "StoreTestSupport", "WireClient", .crypto, .httpTypes, .hummingbird, .logging,
        .nioCore,
    ],
    "LocalAppStore": [
        "WireClient", "WireServer", .asyncHTTPClient, .grdb, .httpTypes, .hummingbird, .hummingbirdTesting, .nioCore, .nioFoundation,
        .nioHTTP1, .nioPosix, .nioSSL,
    ],
    "PurchaseServer": [
        "WireClient", "WireServer", .configuration, .crypto, .grdb, .httpTypes, .hummingbird, .hummingbirdTesting, .lifecycle, .logging,
        .nioCore, .nioFoundation,
    ],
    "PurchaseConsole": ["LocalAppStore", .crypto, .httpTypes, .hummingbird, .hummingbirdTesting, .lifecycle, .logging],
    "MonkeyShop": [
        "LocalAppStore", "OpenStoreKit", "PurchaseKit", "PurchaseServer", "StoreTestSupport", "WireClient", .crypto, .hummingbird, .logging,
    ],
    "EndToEnd": [
        "CoinShop", "DeviceProcess", "FilterShop", "ForgeryMaker", "LocalAppStore", "MonkeyShop", "ProcessTestSupport", "PurchaseServer",
        "StoreTestSupport", "TillrollTour", "WireClient", "tillroll", "tillroll-server", .httpTypes, .hummingbird, .logging, .nioCore,
        .nioFoundation,
    ],
    "TillrollTour": ["WireClient", .httpTypes, .hummingbird, .logging, .nioCore],
]

for (room, extra) in testDependencies.sorted(by: { $0.key < $1.key }) {
    let rooms = package.targets.contains { $0.name == room } ? [room] : []
    let shared = Set(rooms + ["PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseTestSupport"]).sorted()
    package.targets.append(
        .testTarget(name: "\(room)Tests", dependencies: shared.map { .target(name: $0) } + extra, swiftSettings: settings)
    )
}

// What an attacker would send: to the built programs and to the libraries, each test bounded in time.
package.targets.append(
    .testTarget(
        name: "HostileTests",
        dependencies: [
            "LocalAppStore", "ProcessTestSupport", "PurchaseIssuing", "PurchaseModel", "PurchaseProof", "PurchaseServer",
            "PurchaseTestSupport", "StoreTestSupport", "TillrollTour", "WireClient", "tillroll", "tillroll-server", .crypto, .grdb,
            .httpTypes, .hummingbird, .logging, .nioCore, .nioFoundation, .nioPosix,
        ],
        path: "Tests/Hostile",
        swiftSettings: settings
    )
)

// Tests as app teams have them: XCTest, Swift 5, and two imports of difference.
package.targets.append(
    .testTarget(
        name: "SessionsUnderXCTestTests", dependencies: ["OpenStoreKit", "OpenStoreKitTest"],
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)])
)
