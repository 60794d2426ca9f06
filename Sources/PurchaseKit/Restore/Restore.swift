import PurchaseModel

/// A restore that is under way: whose choice is asked for, and who waits for the end.
struct Restore: Sendable {
    let choose: @Sendable ([ProductID]) async -> Set<ProductID>
    let continuation: CheckedContinuation<RestoreOutcome, Never>
}
