/// A value that the App Store signed, with the result of the verification on this device.
@frozen
public enum VerificationResult<SignedType> {
    /// The verification of the value failed with the associated error.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// The App Store signed the value for this app on this device.
    case verified(SignedType)

    /// The verified value.
    ///
    /// - Throws: ``VerificationError`` if the value is unverified.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, whether the verification succeeded or not.
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
    /// The name of the result, the value, and for an unverified value the error.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "VerificationResult.verified(\(value.debugDescription))"
        case .unverified(let value, let error): "VerificationResult.unverified(\(value.debugDescription), \(error))"
        }
    }
}
