public import PurchaseModel
import PurchaseProof

/// Verifies leases on a device.
///
/// ```swift
/// func isEntitled(
///     to product: ProductID, by stored: SignedLease, with verifier: LeaseVerifier, deviceKey: KeyThumbprint, clock: some WallClock
/// ) -> Bool {
///     let now = clock.now
///     guard let lease = try? verifier.verify(stored, deviceKey: deviceKey, at: now) else { return false }
///     return lease.payload.isEntitled(to: product.rawValue, at: now)
/// }
/// ```
///
/// A verifier needs no network. It cannot notice a local clock that was set back to a date after ``LeasePayload/issuedAt``, so an app
/// should remember the latest date that it has seen and pass the later one.
public struct LeaseVerifier: Sendable {
    /// The maximum size of a lease in bytes.
    public static let maximumSize = 48 << 10

    private let keys: VerificationKeySet
    private let issuer: String
    private let bundleID: BundleID
    private let clockSkew: Int64

    /// The only members that the header of a lease has.
    ///
    /// Others would select another key or change the meaning of the JWT (RFC 7515, section 4.1).
    private static let headerNames: Set<String> = ["alg", "kid", "typ"]

    private struct Header: Decodable {
        let alg: String
        let kid: String
        let typ: String
    }

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - keys: The server's public keys.
    ///   - issuer: The server that must have issued the leases.
    ///   - bundleID: The app for which the leases must be.
    ///   - clockSkew: The tolerated difference between the clocks of the server and of this device, in seconds.
    public init(keys: VerificationKeySet, issuer: String, bundleID: BundleID, clockSkew: Int64 = 60) {
        self.keys = keys
        self.issuer = issuer
        self.bundleID = bundleID
        self.clockSkew = max(0, clockSkew)
    }

    /// Verifies a lease, and returns its claims.
    ///
    /// - Parameters:
    ///   - lease: The lease.
    ///   - deviceKey: The thumbprint of this device's key.
    ///   - now: The current time.
    /// - Throws: The reason for which the lease is refused.
    public func verify(_ lease: SignedLease, deviceKey: KeyThumbprint, at now: Timestamp) throws(LeaseError) -> VerifiedLease {
        let payload = try verifyIssuance(of: lease)
        guard payload.deviceKey == deviceKey else { throw .foreignDevice }
        let start = max(payload.issuedAt, payload.notBefore ?? payload.issuedAt)
        guard start <= now.adding(seconds: clockSkew) else { throw .notYetValid(start) }
        guard now < payload.expires.adding(seconds: clockSkew) else { throw .expired(payload.expires) }
        return VerifiedLease(payload: payload, original: lease)
    }

    /// Verifies that the server issued a lease for the app, whatever its device and its dates, and returns its claims.
    ///
    /// The claims state what was true at ``LeasePayload/issuedAt``, such as the balances. Entitlements are only used with a lease that
    /// ``verify(_:deviceKey:at:)`` accepts.
    ///
    /// - Throws: The reason for which the lease is refused.
    public func verifyIssuance(of lease: SignedLease) throws(LeaseError) -> LeasePayload {
        guard lease.compact.utf8.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        let (form, header) = try parse(lease)
        guard header.alg == "ES256" else { throw .algorithm }
        guard header.typ == LeaseIssuer.type else { throw .type }
        guard let key = keys[header.kid] else { throw .unknownKey }
        guard key.isSigned(Array(form.signedText), form.signature) else { throw .signature }
        let payload = try claims(of: form).payload
        guard payload.issuer.utf8.elementsEqual(issuer.utf8) else { throw .foreignIssuer(payload.issuer) }
        guard payload.bundleID == bundleID else { throw .foreignBundle(payload.bundleID) }
        return payload
    }

    private func parse(_ lease: SignedLease) throws(LeaseError) -> (form: CompactForm, header: Header) {
        do throws(Refusal) {
            let form = try CompactForm(lease.compact)
            // The place of an error must not contain text from the data, so only known names become part of it.
            if let name = form.headerNames.first(where: { !Self.headerNames.contains($0) }) {
                throw Refusal(.malformed, at: ["crit", "jwk", "jku", "x5c", "x5u", "b64"].contains(name) ? "header.\(name)" : "header")
            }
            return (form, try form.decodeHeader(Header.self))
        } catch {
            throw .malformed(place: error.place)
        }
    }

    private func claims(of form: CompactForm) throws(LeaseError) -> LeaseClaims {
        do { return try form.decodePayload(LeaseClaims.self) } catch { throw .malformed(place: error.place) }
    }
}

/// A lease whose signature, app, device and dates were verified.
///
/// Only a ``LeaseVerifier`` creates values of this type. The type is not `Decodable`: store ``original``, and verify it again after
/// reading it.
public struct VerifiedLease: Hashable, Sendable {
    /// The claims.
    public let payload: LeasePayload
    /// The lease as a JWT.
    public let original: SignedLease
}
