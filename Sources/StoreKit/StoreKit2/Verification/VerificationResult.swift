/// A signed value with the result of its verification.
@frozen
public enum VerificationResult<SignedType> {
    /// The verification failed with the associated error.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// The store signed the value for this app on this device.
    case verified(SignedType)

    /// The value if it is verified; otherwise throws the ``VerificationError``.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, whether it is verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}

extension VerificationResult: Hashable where SignedType: Hashable {}

extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
    /// Whether it is verified, and the value.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "VerificationResult.verified(\(value.debugDescription))"
        case .unverified(let value, let error): "VerificationResult.unverified(\(value.debugDescription), \(error))"
        }
    }
}
