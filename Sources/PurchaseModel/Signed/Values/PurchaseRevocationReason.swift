/// The reason why the store revoked a purchase.
public enum PurchaseRevocationReason: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The revocation has a reason other than an issue with the app.
    case other = 0
    /// The revocation follows an actual or perceived issue with the app.
    case issueWithApp = 1
}
