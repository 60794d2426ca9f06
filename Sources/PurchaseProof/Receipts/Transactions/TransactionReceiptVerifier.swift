public import PurchaseModel

/// Turns the receipts of single transactions (iOS 6 and earlier) into facts, or says what is wrong with them.
///
/// They carry their signer's certificate alone, so whoever certified it must be known: Apple's intermediates are
/// built in, and roots that were configured stand for themselves.
///
/// They state no time of signing. The chain is judged at the purchase date, or at the beginning of the signer's validity when
/// that is later, because an old purchase is signed anew when it is restored: the earliest moment at which it can have been
/// signed. A receipt proves that Apple signed it once, to anybody. The same few are replayed all over the world, so remember
/// the transactions that were used.
public struct TransactionReceiptVerifier: Sendable {
    /// The longest receipt that is read, in bytes; Apple's have up to 6,000.
    public static let maximumSize = 64 << 10

    private let roots: TrustedRoots
    private let bundleID: BundleID
    private let environments: Set<AppEnvironment>

    /// Creates a verifier for one app, which accepts receipts of `environments` only, as far as those can be known.
    public init(roots: TrustedRoots, bundleID: BundleID, environments: Set<AppEnvironment>) {
        self.roots = roots
        self.bundleID = bundleID
        self.environments = environments
    }

    /// Returns what the receipt proves.
    ///
    /// Hostile bytes are expected here: they throw, they never trap.
    public func verify(_ bytes: [UInt8]) throws(Unproven) -> VerifiedTransactionReceipt {
        do { return try prove(bytes, trace: nil) } catch { throw .refused(error) }
    }

    /// What the receipt is worth, as a value.
    public func judge(_ bytes: [UInt8]) -> Verdict<VerifiedTransactionReceipt> {
        do { return .verified(try verify(bytes)) } catch { return Verdict(error) }
    }

    /// What the receipt is worth, and how that was found out.
    public func explain(_ bytes: [UInt8]) -> (verdict: Verdict<VerifiedTransactionReceipt>, explanation: Explanation) {
        let trace = Trace()
        do {
            return (.verified(try prove(bytes, trace: trace)), trace.explanation)
        } catch {
            trace.ended(.refused(error))
            return (.refused(error), trace.explanation)
        }
    }

    private func prove(_ bytes: [UInt8], trace: Trace?) throws(Refusal) -> VerifiedTransactionReceipt {
        let receipt = try UnverifiedTransactionReceipt(bytes)
        let payload = receipt.payload
        trace?.passed(
            "content", "\(payload.productID) of \(payload.bundleID), bought \(payload.purchaseDate)",
            rule: "It is a property list that holds another one and its signature."
        )
        let signer = try TransactionSigner(receipt.signature, at: payload.purchaseDate)
        let issuer = try signer.prove(by: roots.anchors(in: receipt.claimedEnvironment))
        trace?.passed(
            "certificates", "certified by \(issuer.title), judged at \(signer.time)",
            rule: "An authority that counts for the environment certified the signer, for receipts of this kind, and both were valid."
        )
        try receipt.signature.check(receipt.purchaseInfo, by: signer.outline)
        trace?.passed(
            "signature", "\(receipt.digest), version \(receipt.signatureVersion)", rule: "The signer's key signed version and content."
        )
        guard payload.bundleID == bundleID else { throw Refusal(.foreignBundle(payload.bundleID), at: "purchase-info.bid") }
        trace?.passed("bundle", payload.bundleID.rawValue, rule: "The receipt is for \(bundleID).")
        let environment = receipt.claimedEnvironment
        guard environments.contains(environment) else {
            throw Refusal(.foreignEnvironment(environment.rawValue), at: "receipt.environment")
        }
        trace?.passed(
            "environment", "\(environment.rawValue), which is not signed",
            rule: "The receipt says it is from \(environments.map(\.rawValue).sorted().joined(separator: " or "))."
        )
        return VerifiedTransactionReceipt(payload: payload, claimedEnvironment: environment, original: bytes)
    }
}
