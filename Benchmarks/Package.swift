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
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "AllocationCounter"),
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
    ]
)
