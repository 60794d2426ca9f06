// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

extension Target.Dependency {
    static let model = product(name: "PurchaseModel", package: "tillroll")
    static let proof = product(name: "PurchaseProof", package: "tillroll")
    static let store = product(name: "LocalAppStore", package: "tillroll")
    static let allocationCounter = product(name: "AllocationCounter", package: "Benchmarks")
}

// Each fuzz target is a separate program with libFuzzer's main function, which links only with --sanitize=fuzzer. Build one target
// at a time with --product, as `Fuzz/run` does. With FUZZ_TARGETS=libraries, one build compiles all of them without linking.
let areLibraries = Context.environment["FUZZ_TARGETS"] == "libraries"
let fuzzed: [(name: String, library: Target.Dependency)] = [
    ("cms", .proof), ("payload", .proof), ("plist", .proof), ("jws", .proof), ("x509", .proof), ("storekit", .store),
]

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tillroll", path: ".."),
        .package(name: "Benchmarks", path: "../Benchmarks"),
    ],
    targets: [
        .target(name: "FuzzSupport", dependencies: [.model, .proof], swiftSettings: settings),
        .target(name: "CrashNote"),
        .executableTarget(
            name: "totality", dependencies: ["CrashNote", "FuzzSupport", .allocationCounter, .model, .proof], swiftSettings: settings
        ),
    ]
        + fuzzed.map { name, library in
            let (name, dependencies) = ("fuzz-\(name)", ["FuzzSupport", .model, library])
            let settings = settings + [.unsafeFlags(["-parse-as-library"])]
            return areLibraries
                ? .target(name: name, dependencies: dependencies, swiftSettings: settings)
                : .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
        }
)
