public import PurchaseModel

/// Turns signed data into facts, or says what is wrong with it.
public struct SignedDataVerifier: Sendable {
    /// Creates a verifier for one app, which accepts data of `environments` only.
    public init(roots: TrustedRoots, bundleID: BundleID, environments: Set<AppEnvironment>) { fatalError("stub") }

    /// Returns what a signed transaction proves.
    @concurrent
    public func verify(_ signed: SignedTransaction) async throws(SignedDataError) -> VerifiedTransaction { fatalError("stub") }

    /// Returns what signed renewal information proves.
    @concurrent
    public func verify(_ signed: SignedRenewalInfo) async throws(SignedDataError) -> VerifiedRenewalInfo { fatalError("stub") }

    /// Returns what a signed notification proves, together with the signed data inside.
    @concurrent
    public func verify(_ signed: SignedNotification) async throws(SignedDataError) -> VerifiedNotification { fatalError("stub") }
}
