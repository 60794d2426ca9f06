import LocalAppStore
import StoreKit

/// The settings of a test session: those of the `.storekit` file, with the changes that the test made.
struct SessionSettings: Sendable {
    /// The settings that a `.storekit` file can contain, with the changes that the test made.
    var catalog: CatalogSettings
    /// The error code with which purchases fail while failing purchases are enabled.
    var failureError = SKError.Code.unknown

    /// Whether the billing grace period is enabled; false unless the `.storekit` file or the test enables it.
    var billingGracePeriodIsEnabled: Bool { catalog.billingGracePeriodIsEnabled ?? false }
    /// The error code with which every purchase fails; nil when purchases do not fail.
    var purchaseFailure: Int? { catalog.failsTransactions ? failureError.rawValue : nil }
}
