/// A value that the store signed, and whether the signature holds.
@frozen
public enum VerificationResult<SignedType> {
    /// The signature does not hold; the error says why.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// The store signed it, for this app on this device.
    case verified(SignedType)

    /// The value if it is verified; throws the ``VerificationError`` otherwise.
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
