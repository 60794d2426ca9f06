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
    @concurrent
    public func verify(_ signed: SignedTransaction) async throws(SignedDataError) -> VerifiedTransaction {
        let jws = try CompactJWS(signed.compact)
        let payload: TransactionPayload = try decode(jws.payload)
        try await prove(jws, about: payload)
        return Verified(payload: payload, original: signed)
    }

    /// Returns what signed renewal information proves.
    ///
    /// Such information does not name its app. It is about the app whose subscription it belongs to: take it from where a
    /// verified transaction or notification came from.
    @concurrent
    public func verify(_ signed: SignedRenewalInfo) async throws(SignedDataError) -> VerifiedRenewalInfo {
        let jws = try CompactJWS(signed.compact)
        let payload: RenewalInfoPayload = try decode(jws.payload)
        try await prove(jws, about: payload)
        return Verified(payload: payload, original: signed)
    }

    /// Returns what a signed notification proves, together with the signed data inside.
    ///
    /// The parts inside have signatures of their own and are verified like any others; they must be of the same environment as
    /// the notification.
    @concurrent
    public func verify(_ signed: SignedNotification) async throws(SignedDataError) -> VerifiedNotification {
        let jws = try CompactJWS(signed.compact)
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

    private func decode<Payload: Decodable>(_ json: Data) throws(SignedDataError) -> Payload {
        do { return try WireJSON.decode(Payload.self, from: json) } catch { throw .malformed(path: "payload") }
    }

    /// Throws unless a root that counts vouches for the signer, the signer signed the payload, and it is about us.
    private func prove(_ jws: CompactJWS, about subject: some SignedDataSubject) async throws(SignedDataError) {
        guard let environment = AppEnvironment(rawValue: subject.claimedEnvironment) else {
            throw .untrusted(reason: "No root counts for the environment that it names.")
        }
        do throws(UntrustedChain) {
            try await roots.vouch(for: jws.signer, through: jws.others, in: environment, at: subject.signedDate)
        } catch {
            throw .untrusted(reason: error.reason)
        }
        try jws.checkSignature()
        guard environments.contains(environment) else { throw .foreignEnvironment(subject.claimedEnvironment) }
        if let bundle = subject.claimedBundle, bundle != bundleID { throw .foreignBundle(bundle) }
    }

    private func agree(_ inner: some SignedDataSubject, with outer: NotificationSubject) throws(SignedDataError) {
        guard inner.claimedEnvironment == outer.claimedEnvironment else { throw .foreignEnvironment(inner.claimedEnvironment) }
    }
}
