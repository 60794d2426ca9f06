import PurchaseModel

/// A restore that runs: the closure that asks the user for the products, and the continuation of the caller that waits.
struct RunningRestore: Sendable {
    let choose: @Sendable ([ProductID]) async -> Set<ProductID>
    let continuation: CheckedContinuation<RestoreOutcome, Never>
}
