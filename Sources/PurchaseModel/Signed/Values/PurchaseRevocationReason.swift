/// Why a purchase was taken back.
public enum PurchaseRevocationReason: Int, Codable, Hashable, Sendable, CaseIterable {
    /// For a reason that is not the app's fault.
    case other = 0
    /// For a fault of the app, real or felt.
    case issueWithApp = 1
}
