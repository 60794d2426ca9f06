import PurchaseModel

/// What a production server does with purchases of the sandbox, such as those of TestFlight and of App Review; it records all of them.
public enum SandboxPurchases: String, CaseIterable, Sendable {
    /// They give entitlements and no credits, because everybody who tests the app gets them without payment.
    case entitlements
    /// They give entitlements and credits, as purchases of production do.
    case all
    /// They give neither entitlements nor credits.
    case none
}

extension AppEnvironment {
    /// Returns whether a purchase can be from the environment: signed data of 2021 states none.
    func canBe(_ stated: String) -> Bool { stated.isEmpty || stated == rawValue }
}
