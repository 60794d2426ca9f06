public import PurchaseModel

/// Refuses receipts from other environments.
public struct EnvironmentCheck: ReceiptCheck {
    private let environments: Set<AppEnvironment>

    /// Creates the check for the environments to accept.
    public init(_ environments: Set<AppEnvironment>) {
        self.environments = environments
    }

    /// Throws ``Refusal/Reason/foreignEnvironment(_:)`` unless the environment is among ours.
    public func examine(_ payload: ReceiptPayload) throws(Refusal) {
        guard environments.contains(payload.environment) else {
            throw Refusal(.foreignEnvironment(payload.environment.rawValue), at: "receipt.0")
        }
    }
}
