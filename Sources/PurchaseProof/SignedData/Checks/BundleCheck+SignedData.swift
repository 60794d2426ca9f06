import PurchaseModel

extension BundleCheck: SignedDataCheck {
    /// The bundle that is stated.
    public func saw(_ claims: SignedDataClaims) -> String { claims.bundleID?.rawValue ?? "none is stated" }

    /// Throws ``Refusal/Reason/foreignBundle(_:)`` unless the bundle is ours.
    ///
    /// Renewal information and real-time requests do not name a bundle, and pass.
    public func examine(_ claims: SignedDataClaims) throws(Refusal) {
        guard let stated = claims.bundleID, stated != bundleID else { return }
        throw Refusal(.foreignBundle(stated), at: "\(claims.subject).bundleId")
    }
}
