import PurchaseModel

/// A running restore, with the closure for the user's choice and the continuation of the waiting caller.
struct Restore: Sendable {
    let choose: @Sendable ([ProductID]) async -> Set<ProductID>
    let continuation: CheckedContinuation<RestoreOutcome, Never>
}
