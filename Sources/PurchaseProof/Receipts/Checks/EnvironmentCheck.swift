public import PurchaseModel

/// Refuses receipts from other environments.
public struct EnvironmentCheck: ReceiptCheck {
    let environments: Set<AppEnvironment>

    /// Creates the check for the environments to accept.
    public init(_ environments: Set<AppEnvironment>) {
        self.environments = environments
    }

    /// Names what is looked at.
    public var name: String { "environment" }

    /// The rule: the environment is among ours.
    public var rule: String { "It is from \(environments.map(\.rawValue).sorted().joined(separator: " or "))." }

    /// The receipt's environment, and the type that means it.
    public func saw(_ payload: ReceiptPayload) -> String { "\(payload.environment.rawValue), written \(payload.receiptType)" }

    /// Throws ``Refusal/Reason/foreignEnvironment(_:)`` unless the environment is among ours.
    public func examine(_ payload: ReceiptPayload) throws(Refusal) {
        guard environments.contains(payload.environment) else {
            throw Refusal(.foreignEnvironment(payload.environment.rawValue), at: "receipt.0")
        }
    }
}
