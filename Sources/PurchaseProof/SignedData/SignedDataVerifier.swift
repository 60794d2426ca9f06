import Foundation
public import PurchaseModel

/// Turns signed data into facts, or says what is wrong with it.
///
/// The chain in the header is judged at the date that the payload states (`signedDate`) and for the environment that it states,
/// as with Apple's own libraries when they do not ask Apple online. Revocation of certificates is not asked for.
public struct SignedDataVerifier: Sendable {
    private let roots: TrustedRoots
    private let bundleID: BundleID
    private let environments: Set<AppEnvironment>

    /// Creates a verifier for one app, which accepts data of `environments` only.
    public init(roots: TrustedRoots, bundleID: BundleID, environments: Set<AppEnvironment>) {
        self.roots = roots
        self.bundleID = bundleID
        self.environments = environments
    }

    /// Returns what a signed transaction proves.
    public func verify(_ signed: SignedTransaction) async throws(Unproven) -> VerifiedTransaction {
        let jws = try read(signed.compact)
        let payload: TransactionPayload = try decode(jws.payload)
        try await prove(jws, about: payload)
        return Verified(payload: payload, original: signed)
    }

    /// Returns what signed renewal information proves.
    ///
    /// Such information does not name its app. It is about the app whose subscription it belongs to: take it from where a
    /// verified transaction or notification came from.
    public func verify(_ signed: SignedRenewalInfo) async throws(Unproven) -> VerifiedRenewalInfo {
        let jws = try read(signed.compact)
        let payload: RenewalInfoPayload = try decode(jws.payload)
        try await prove(jws, about: payload)
        return Verified(payload: payload, original: signed)
    }

    /// Returns what a signed notification proves, together with the signed data inside.
    ///
    /// The parts inside have signatures of their own and are verified like any others; they must be of the same environment as
    /// the notification.
    public func verify(_ signed: SignedNotification) async throws(Unproven) -> VerifiedNotification {
        let jws = try read(signed.compact)
        let subject: NotificationSubject = try decode(jws.payload)
        let payload: NotificationPayload = try decode(jws.payload)
        try await prove(jws, about: subject)

        var transaction: VerifiedTransaction?
        if let inner = payload.data?.signedTransactionInfo {
            let verified = try await verify(inner)
            try agree(verified.payload, with: subject)
            transaction = verified
        }
        var renewalInfo: VerifiedRenewalInfo?
        if let inner = payload.data?.signedRenewalInfo {
            let verified = try await verify(inner)
            try agree(verified.payload, with: subject)
            renewalInfo = verified
        }
        return VerifiedNotification(
            notification: Verified(payload: payload, original: signed), transaction: transaction, renewalInfo: renewalInfo
        )
    }

    private func read(_ compact: String) throws(Unproven) -> CompactJWS {
        do { return try CompactJWS(compact) } catch { throw .refused(error) }
    }

    private func decode<Payload: Decodable>(_ json: Data) throws(Unproven) -> Payload {
        do { return try WireJSON.decode(Payload.self, from: json) } catch { throw .refused(Refusal(.malformed, at: "payload")) }
    }

    /// Throws unless a root that counts vouches for the signer, the signer signed the payload, and it is about us.
    private func prove(_ jws: CompactJWS, about subject: some SignedDataSubject) async throws(Unproven) {
        guard let environment = AppEnvironment(rawValue: subject.claimedEnvironment) else {
            throw .refused(Refusal(.untrustedRoot, at: "header.x5c"))
        }
        _ = try await roots.prove(
            jws.encoded[0], through: Array(jws.encoded.dropFirst()), in: environment, at: subject.signedDate, place: "header.x5c", trace: nil
        )
        do throws(Refusal) { try jws.checkSignature() } catch { throw .refused(error) }
        guard environments.contains(environment) else {
            throw .refused(Refusal(.foreignEnvironment(subject.claimedEnvironment), at: "payload.environment"))
        }
        if let bundle = subject.claimedBundle, bundle != bundleID {
            throw .refused(Refusal(.foreignBundle(bundle), at: "payload.bundleId"))
        }
    }

    private func agree(_ inner: some SignedDataSubject, with outer: NotificationSubject) throws(Unproven) {
        guard inner.claimedEnvironment == outer.claimedEnvironment else {
            throw .refused(Refusal(.foreignEnvironment(inner.claimedEnvironment), at: "data.environment"))
        }
    }
}
