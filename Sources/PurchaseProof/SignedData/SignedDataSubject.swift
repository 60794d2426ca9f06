import PurchaseModel

/// What every signed payload has to say for itself before it can be judged.
protocol SignedDataSubject: Decodable, Hashable, Sendable {
    /// When it says it was signed.
    var signedDate: Timestamp { get }
    /// The app it says it is about; nil when its kind does not say.
    var claimedBundle: BundleID? { get }
    /// The environment it says it comes from, as spelled on the wire.
    var claimedEnvironment: String { get }
}

extension TransactionPayload: SignedDataSubject {
    var claimedBundle: BundleID? { bundleId }
    var claimedEnvironment: String { environment }
}

extension RenewalInfoPayload: SignedDataSubject {
    var claimedBundle: BundleID? { nil }
    var claimedEnvironment: String { environment }
}
