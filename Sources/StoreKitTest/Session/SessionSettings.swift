import LocalAppStore
import StoreKit

/// The settings of a session's store: those of the `.storekit` file, with the test's changes.
struct SessionSettings: Sendable {
    /// The settings of the `.storekit` file, with the test's changes.
    var catalog: CatalogSettings
    /// The error of failing purchases.
    var failureError = SKError.Code.unknown

    /// Whether the billing grace period is enabled; a session disables it by default.
    var billingGracePeriodIsEnabled: Bool { catalog.billingGracePeriodIsEnabled ?? false }
    /// The error code of every purchase; nil for none.
    var purchaseFailure: Int? { catalog.failsTransactions ? failureError.rawValue : nil }
}
