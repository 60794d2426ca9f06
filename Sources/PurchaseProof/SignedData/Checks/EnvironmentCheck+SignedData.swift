import PurchaseModel

extension EnvironmentCheck: SignedDataCheck {
    /// The environment that is stated.
    public func saw(_ claims: SignedDataClaims) -> String { claims.environment }

    /// Throws ``Refusal/Reason/foreignEnvironment(_:)`` unless the environment is among ours.
    public func examine(_ claims: SignedDataClaims) throws(Refusal) {
        guard let stated = AppEnvironment(rawValue: claims.environment), environments.contains(stated) else {
            throw Refusal(.foreignEnvironment(claims.environment), at: "\(claims.environmentPlace)")
        }
    }
}
