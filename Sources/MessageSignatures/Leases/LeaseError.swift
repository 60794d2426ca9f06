public import PurchaseModel

/// The reason for which a lease can't be issued, or is refused.
///
/// Request a new lease from the server after each of them, except ``unknownKey``, which needs an update of the app or of its keys.
public enum LeaseError: Error, Hashable, Sendable {
    /// The lease is not a JWT of this type, or a claim is missing or invalid; the place is its path, such as `payload.cnf.jkt`.
    case malformed(place: String)
    /// The lease has more bytes than this limit.
    case tooLarge(limit: Int)
    /// The JWT has another type (`typ`) than ``LeaseIssuer/type``.
    case type
    /// The JWT has another algorithm (`alg`) than ES256.
    case algorithm
    /// The verifier has no key with the JWT's identifier (`kid`).
    case unknownKey
    /// The signature does not match the lease.
    case signature
    /// The lease is authentic, and from another server; the value is its issuer (`iss`).
    case foreignIssuer(String)
    /// The lease is authentic, and for another app; the value is its bundle identifier (`aud`).
    case foreignBundle(BundleID)
    /// The lease is authentic, and for another device (`cnf`): it was copied, or this device's key was replaced.
    case foreignDevice
    /// The lease is authentic, and valid from this date only (`iat`, `nbf`). The local clock can be wrong.
    case notYetValid(Timestamp)
    /// The lease is authentic, and expired at this date (`exp`).
    case expired(Timestamp)
    /// The system's random number generator failed, so nothing can be signed.
    case cannotSign
}

extension LeaseError: CustomStringConvertible {
    /// What failed, and what to do next.
    public var description: String {
        switch self {
        case .malformed(let place): "The lease is malformed (\(place)). Request a new one."
        case .tooLarge(let limit): "The lease has more than \(limit) bytes. Request one with fewer entitlements."
        case .type: "The JWT is not a lease: its type must be \(LeaseIssuer.type)."
        case .algorithm: "The lease has another algorithm than ES256. Request a new one."
        case .unknownKey: "No key of the app verifies the lease. Update the app's keys."
        case .signature: "The signature does not match the lease. Request a new one."
        case .foreignIssuer(let issuer): "The lease is from another server, \(issuer)."
        case .foreignBundle(let bundle): "The lease is for another app, \(bundle)."
        case .foreignDevice: "The lease is for another device. Request one for this device."
        case .notYetValid(let date): "The lease is valid from \(date). Check the clock of this device."
        case .expired(let date): "The lease expired at \(date). Request a new one."
        case .cannotSign: "The system's random number generator failed."
        }
    }
}
