import PurchaseModel

/// The effect of recorded sandbox purchases on a production server, such as purchases of TestFlight and App Review.
public enum SandboxPurchases: String, CaseIterable, Sendable {
    /// Sandbox purchases give entitlements and no credits, because testers do not pay.
    case entitlements
    /// Sandbox purchases give entitlements and credits, like production purchases.
    case all
    /// Sandbox purchases give neither entitlements nor credits.
    case none
}

extension AppEnvironment {
    /// Returns whether signed data with a stated environment can be from this environment; signed data of 2021 states no environment.
    func canBe(_ stated: String) -> Bool { stated.isEmpty || stated == rawValue }
}
