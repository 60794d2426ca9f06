public import Foundation
public import PurchaseModel
public import PurchaseProof

/// The inputs in `Fuzz/Corpus`, and verifiers that verify the genuine ones.
public enum Corpus {
    /// The folder `Fuzz/Corpus`, found by the path of this source file.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpus")

    /// The folder `Tests/Forgeries` with the public corpus.
    public static let forgeries = folder.deletingLastPathComponent().deletingLastPathComponent().appending(path: "Tests/Forgeries")

    /// The app of the samples.
    public static let bundleID: BundleID = "com.example.monkeyshop"

    /// Returns Apple's roots and those of a folder: roots.pem for the sandbox, and xcode-roots.pem for Xcode's environment.
    public static func roots(in folder: URL = folder) throws -> TrustedRoots {
        func pem(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        return try .apple(and: pem("roots.pem"), in: [.sandbox]).trusting(pem("xcode-roots.pem"), in: [.xcode])
    }

    /// Returns Apple's roots and those of the forgeries.
    public static func forgeryRoots() throws -> TrustedRoots {
        struct Manifest: Decodable {
            let roots: [String: Root]
        }
        struct Root: Decodable {
            let file: String
            let environments: Set<AppEnvironment>
        }
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: forgeries.appending(path: "manifest.json")))
        return try manifest.roots.values.filter { !$0.environments.isEmpty }.reduce(.apple) { roots, root in
            try roots.trusting(String(contentsOf: forgeries.appending(path: root.file), encoding: .utf8), in: root.environments)
        }
    }

    /// Returns a verifier of receipts.
    public static func receiptVerifier(_ roots: TrustedRoots) -> ReceiptVerifier {
        ReceiptVerifier(roots: roots, bundleID: bundleID, environments: [.sandbox, .xcode])
    }

    /// Returns a verifier of transaction receipts of iOS 6.
    public static func transactionReceiptVerifier(_ roots: TrustedRoots) -> TransactionReceiptVerifier {
        TransactionReceiptVerifier(roots: roots, bundleID: bundleID, environments: [.sandbox])
    }

    /// Returns a verifier of JWS.
    public static func signedDataVerifier(_ roots: TrustedRoots) -> SignedDataVerifier {
        SignedDataVerifier(roots: roots, bundleID: bundleID, environments: [.sandbox, .xcode])
    }
}
