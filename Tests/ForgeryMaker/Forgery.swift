import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

/// One case of the corpus before it is written to a file.
struct Forgery {
    /// Its name without the kind in front.
    let name: String
    /// What is wrong with it, or unusual about it, in one sentence.
    let what: String
    /// What an attacker would gain from it, or what honest people would lose if it were refused.
    let why: String
    let expected: Expectation
    let content: Content
    private(set) var verify: ForgeryManifest.Verify
    /// Files that the case needs besides its own, by their paths.
    var furtherFiles: [String: [UInt8]] = [:]

    /// The bytes, by what they claim to be.
    enum Content {
        case receipt([UInt8])
        case transactionReceipt([UInt8])
        case jws(String, SignedDataKind)
    }

    /// What a verifier is to find.
    enum Expectation {
        case verified
        case refused(Refusal.Reason, at: String)
        case indeterminate(Indeterminacy.Reason, at: String)
    }

    /// An app receipt.
    static func receipt(
        _ name: String, _ expected: Expectation, what: String, why: String, _ make: () throws -> [UInt8]
    ) throws -> Forgery {
        let verify = ForgeryManifest.Verify(
            roots: [RootName.receipts], bundleID: BundleID.test.rawValue, environments: [AppEnvironment.sandbox.rawValue]
        )
        return Forgery(name: name, what: what, why: why, expected: expected, content: .receipt(try make()), verify: verify)
    }

    /// The receipt of an iOS 6 transaction.
    static func transactionReceipt(
        _ name: String, _ expected: Expectation, what: String, why: String, _ make: () throws -> [UInt8]
    ) throws -> Forgery {
        let verify = ForgeryManifest.Verify(
            roots: [RootName.receipts], bundleID: BundleID.test.rawValue, environments: [AppEnvironment.sandbox.rawValue]
        )
        return Forgery(name: name, what: what, why: why, expected: expected, content: .transactionReceipt(try make()), verify: verify)
    }

    /// A JWS that is to be read as a transaction.
    static func jws(
        _ name: String, _ expected: Expectation, what: String, why: String, _ make: () throws -> String
    ) throws -> Forgery {
        try jws(name, .transaction, expected, what: what, why: why, make)
    }

    /// A JWS.
    static func jws(
        _ name: String, _ kind: SignedDataKind, _ expected: Expectation, what: String, why: String, _ make: () throws -> String
    ) throws -> Forgery {
        let verify = ForgeryManifest.Verify(
            roots: [RootName.signedData], bundleID: BundleID.test.rawValue, environments: [AppEnvironment.sandbox.rawValue]
        )
        return Forgery(name: name, what: what, why: why, expected: expected, content: .jws(try make(), kind), verify: verify)
    }

    /// The same forgery with changed settings of the verifier.
    ///
    /// Unless they are changed, the verifier checks that it is of the sandbox and for our app, under the store's root.
    func withVerification(_ change: (inout ForgeryManifest.Verify) -> Void) -> Forgery {
        var other = self
        change(&other.verify)
        return other
    }
}
