import LocalAppStore
import StoreKit

/// How a session's store behaves: as its file says, and as the test said since.
struct SessionSettings: Sendable {
    /// What the `.storekit` file says, or what the test said instead.
    var catalog: CatalogSettings
    /// What failing purchases fail with.
    var failureError = SKError.Code.unknown

    /// Whether access goes on for a while when a renewal fails; in a session it does not unless that is said.
    var grantsGrace: Bool { catalog.grantsGrace ?? false }
    /// What every purchase fails with; nil for none.
    var purchaseFailure: Int? { catalog.failsTransactions ? failureError.rawValue : nil }
}
