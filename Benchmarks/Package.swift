// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "AllocationCounter", targets: ["AllocationCounter"])
    ],
    dependencies: [
        .package(name: "tillroll", path: ".."),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .target(name: "AllocationCounter"),
        .target(name: "HeapUsage"),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "BenchmarkReport", swiftSettings: settings),
        .executableTarget(
            name: "benchmark",
            dependencies: [
                "AllocationCounter",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "PurchaseModel", package: "tillroll"),
                .product(name: "PurchaseProof", package: "tillroll"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "store-benchmark",
            dependencies: [
                "BenchmarkReport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "LocalAppStore", package: "tillroll"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "PurchaseModel", package: "tillroll"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "RecordedStore",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "LocalAppStore", package: "tillroll"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "OpenStoreKit", package: "tillroll"),
                .product(name: "PurchaseModel", package: "tillroll"),
                .product(name: "PurchaseProof", package: "tillroll"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "device-benchmark",
            dependencies: [
                "BenchmarkReport",
                "HeapUsage",
                "RecordedStore",
                .product(name: "LocalAppStore", package: "tillroll"),
                .product(name: "OpenStoreKit", package: "tillroll"),
                .product(name: "PurchaseModel", package: "tillroll"),
                .product(name: "PurchaseProof", package: "tillroll"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "kit-benchmark",
            dependencies: [
                "BenchmarkReport",
                "HeapUsage",
                "RecordedStore",
                .product(name: "ContentStorage", package: "tillroll"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "LocalAppStore", package: "tillroll"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "OpenStoreKit", package: "tillroll"),
                .product(name: "PurchaseKit", package: "tillroll"),
                .product(name: "PurchaseModel", package: "tillroll"),
                .product(name: "PurchaseProof", package: "tillroll"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "server-benchmark",
            dependencies: [
                "BenchmarkReport",
                "CPostgres",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "PurchaseModel", package: "tillroll"),
                .product(name: "PurchaseProof", package: "tillroll"),
                .product(name: "PurchaseServer", package: "tillroll"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: settings
        ),
    ]
)
