// swift-tools-version: 6.2
import PackageDescription

// A package that depends on Tillroll only to verify receipts: `traits: []` omits the dependencies of the client, the server and
// the commands.
let package = Package(
    name: "receipt-check",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: Context.environment["TILLROLL_URL"] ?? "../..", branch: "main", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "ReceiptCheck",
            dependencies: [.product(name: "PurchaseModel", package: "tillroll"), .product(name: "PurchaseProof", package: "tillroll")]
        )
    ]
)
