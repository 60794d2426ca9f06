public import Foundation
public import PurchaseModel
public import PurchaseProof

/// The inputs that are kept in `Fuzz/Corpus`, and verifiers that believe the genuine ones among them.
public enum Corpus {
    /// `Fuzz/Corpus`, where these sources lie.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpus")

    /// The app that the samples are about.
    public static let bundleID: BundleID = "com.example.monkeyshop"

    /// Apple's roots, Xcode's way of signing, and the roots of a PEM file.
    public static func roots(_ file: URL = folder.appending(path: "roots.pem")) throws -> TrustedRoots {
        try .apple(and: String(contentsOf: file, encoding: .utf8), in: [.sandbox, .xcode])
    }

    /// A verifier of receipts.
    public static func receiptVerifier(_ roots: TrustedRoots) -> ReceiptVerifier {
        ReceiptVerifier(roots: roots, BundleCheck(bundleID), EnvironmentCheck([.sandbox, .xcode]))
    }

    /// A verifier of JWS.
    public static func signedDataVerifier(_ roots: TrustedRoots) -> SignedDataVerifier {
        SignedDataVerifier(roots: roots, bundleID: bundleID, environments: [.sandbox, .xcode])
    }
}
