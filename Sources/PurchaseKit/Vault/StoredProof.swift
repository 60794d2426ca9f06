import MessageSignatures
import PurchaseModel
import PurchaseProof
import Synchronization

/// Signed data that the app received: a transaction, with the renewal info of its subscription, if any.
struct SignedProof: Sendable {
    var transaction: SignedTransaction
    var renewal: SignedRenewalInfo?
}

/// A verified transaction, with the verified renewal info of its subscription, if any.
struct VerifiedProof: Hashable, Sendable {
    var transaction: VerifiedTransaction
    var renewal: VerifiedRenewalInfo?

    init(transaction: VerifiedTransaction, renewal: VerifiedRenewalInfo? = nil) {
        self.transaction = transaction
        self.renewal = renewal
    }

    /// Verifies the signatures of a transaction and of its renewal info.
    init(_ proof: SignedProof, verifier: SignedDataVerifier) async throws(VerificationFailure) {
        transaction = try await verifier.verify(proof.transaction)
        let info: VerifiedRenewalInfo? = if let signed = proof.renewal { try await verifier.verify(signed) } else { nil }
        // Ignore the renewal info of another subscription, which an edited export can contain.
        renewal = info?.payload.originalTransactionId == transaction.payload.originalTransactionId ? info : nil
    }

    /// The later of the signature dates of the transaction and the renewal info.
    var signedDate: Timestamp {
        max(transaction.payload.signedDate, renewal?.payload.signedDate ?? transaction.payload.signedDate)
    }

    var event: SignedEvent { SignedEvent(transaction: transaction.payload, renewal: renewal?.payload) }
}

extension SignedEvent {
    /// Creates an event of a transaction that the app received.
    fileprivate init(transaction: TransactionPayload, renewal: RenewalInfoPayload?) {
        self.init(transaction: transaction, renewal: renewal, source: "app")
    }

    /// Returns whether two events have the same content, except for the signature dates and the device.
    func hasSameFacts(as other: SignedEvent) -> Bool {
        transaction.facts == other.transaction.facts && renewal?.facts == other.renewal?.facts
    }
}

/// The fields of a proof that the vault keeps decoded, so that most readings decode no payload.
struct ProofFacts: Hashable, Sendable {
    let id: TransactionID
    let original: TransactionID
    let product: ProductID
    let isConsumable: Bool
    let isRevoked: Bool
    /// The customer in the transaction's `appAccountToken`; nil without a token.
    let appAccountToken: CustomerID?
    /// The identifier of the transaction's charge according to `CreditRule`; nil for a transaction without a charge.
    let charge: String?
    /// Whether the transaction adds the credits of its charge.
    let addsCredits: Bool
    let purchaseDate: Timestamp
    /// The later of the signature dates of the transaction and the renewal info.
    let signedDate: Timestamp
    /// The first eight bytes of the transaction's signature; ``renewalSignature`` has those of the renewal info.
    let signature: UInt64
    let renewalSignature: UInt64?
}

/// Signed data in the vault.
///
/// Signed data is verified before storage, and not again at each reading, because the vault's file is authenticated. A payload is decoded
/// at each reading, so that a vault opens fast and needs little memory.
final class StoredProof: Sendable {
    /// The compact JWS of a proof, decoded from base64url.
    struct Parts: Sendable {
        /// The header in base64url, which thousands of proofs share.
        var header: String
        var payload: ArraySlice<UInt8>
        var signature: ArraySlice<UInt8>

        init(header: String, payload: ArraySlice<UInt8>, signature: ArraySlice<UInt8>) {
            self.header = header
            self.payload = payload
            self.signature = signature
        }

        /// Splits a verified JWS; ``compact`` restores the same text, because each part has exactly one encoding in base64url.
        init(_ compact: String) throws(VaultError) {
            let parts = compact.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 3, let payload = Base64URL.decode(Array(parts[1]).span),
                let signature = Base64URL.decode(Array(parts[2]).span)
            else { throw .storage(reason: "signed data can't be encoded") }
            header = String(decoding: parts[0], as: UTF8.self)
            self.payload = payload[...]
            self.signature = signature[...]
        }

        var compact: String { "\(header).\(Base64URL.encode(payload)).\(Base64URL.encode(signature))" }
    }

    let facts: ProofFacts
    let transaction: Parts
    let renewal: Parts?

    init(facts: ProofFacts, transaction: Parts, renewal: Parts?) {
        self.facts = facts
        self.transaction = transaction
        self.renewal = renewal
    }

    /// Creates the stored form of verified signed data.
    init(_ proof: VerifiedProof) throws(VaultError) {
        let payload = proof.transaction.payload
        transaction = try Parts(proof.transaction.original.compact)
        renewal = if let info = proof.renewal { try Parts(info.original.compact) } else { nil }
        facts = ProofFacts(
            id: payload.transactionId, original: payload.originalTransactionId, product: payload.productId,
            isConsumable: payload.productType == .consumable, isRevoked: payload.isRevoked, appAccountToken: payload.appAccountToken,
            charge: CreditRule.charge(of: payload), addsCredits: CreditRule.addsCredits(payload), purchaseDate: payload.purchaseDate,
            signedDate: proof.signedDate, signature: Self.prefix(transaction.signature),
            renewalSignature: renewal.map { Self.prefix($0.signature) })
    }

    /// The first eight bytes of a signature, which identify the signature, because signatures are random.
    static func prefix(_ signature: ArraySlice<UInt8>) -> UInt64 {
        signature.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The first eight bytes of the signature of a compact JWS; nil for other text.
    static func prefix(ofSignatureIn compact: String) -> UInt64? {
        guard let dot = compact.utf8.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(Array(compact.utf8[compact.utf8.index(after: dot)...]).span)
        else { return nil }
        return prefix(signature[...])
    }

    /// The transaction as the App Store signed it.
    var signedTransaction: SignedTransaction { SignedTransaction(transaction.compact) }

    /// The proof as the App Store signed it.
    var signedProof: SignedProof {
        SignedProof(transaction: signedTransaction, renewal: renewal.map { SignedRenewalInfo($0.compact) })
    }

    /// The decoded payloads; nil if this version of the app can't decode the transaction's payload.
    ///
    /// Each reading parses the payloads, in about ten microseconds.
    var event: SignedEvent? {
        guard let payload = try? TransactionPayload(verifiedBefore: Array(transaction.payload)) else { return nil }
        return SignedEvent(
            transaction: payload, renewal: renewal.flatMap { try? RenewalInfoPayload(verifiedBefore: Array($0.payload)) })
    }

    /// The decoded proof; nil if this version of the app can't decode the transaction.
    var proof: VerifiedProof? {
        guard let event else { return nil }
        var renewalInfo: VerifiedRenewalInfo?
        if let payload = event.renewal, let renewal {
            renewalInfo = VerifiedRenewalInfo(payload: payload, verifiedBefore: SignedRenewalInfo(renewal.compact))
        }
        return VerifiedProof(
            transaction: VerifiedTransaction(payload: event.transaction, verifiedBefore: signedTransaction), renewal: renewalInfo)
    }

    /// Returns the proof of the transaction with the renewal info of another proof.
    func with(renewalOf other: StoredProof) -> StoredProof {
        StoredProof(
            facts: ProofFacts(
                id: facts.id, original: facts.original, product: facts.product, isConsumable: facts.isConsumable,
                isRevoked: facts.isRevoked, appAccountToken: facts.appAccountToken, charge: facts.charge, addsCredits: facts.addsCredits,
                purchaseDate: facts.purchaseDate, signedDate: max(facts.signedDate, other.facts.signedDate), signature: facts.signature,
                renewalSignature: other.facts.renewalSignature),
            transaction: transaction, renewal: other.renewal)
    }
}

/// The proofs of one purchase in the order in which the vault received them, and the resulting entitlement.
struct PurchaseHistory: Sendable {
    private struct Decision: Sendable {
        var timeline: EntitlementTimeline?
        var renewal: RenewalInfoPayload?
    }

    /// The result that the first reading computes from the proofs, shared by the copies of a history.
    private final class Cache: Sendable {
        let decision = Mutex<Decision?>(nil)
    }

    private var proofs: [StoredProof] = []
    private var cache = Cache()
    /// Whether a transaction of the purchase was revoked, even if the refund was reversed later.
    private(set) var wasRevoked = false
    /// Whether the product unlocks an entitlement; false for a consumable.
    private(set) var hasEntitlement = false
    private var hasRenewal = false

    mutating func add(_ proof: StoredProof) {
        proofs.append(proof)
        if proofs.count > 1 { cache = Cache() }
        wasRevoked = wasRevoked || proof.facts.isRevoked
        hasEntitlement = hasEntitlement || !proof.facts.isConsumable
        hasRenewal = hasRenewal || proof.renewal != nil
    }

    /// The entitlements of the purchase, which the first reading computes from the proofs; nil for a consumable.
    var timeline: EntitlementTimeline? { hasEntitlement ? decision.timeline : nil }

    /// The newest renewal info, which the first reading decodes; nil for a purchase without renewal info.
    var renewal: RenewalInfoPayload? { hasRenewal ? decision.renewal : nil }

    private var decision: Decision {
        cache.decision.withLock { decision in
            if let decision { return decision }
            var selection = EventSelection()
            for stored in proofs where !stored.facts.isConsumable {
                if let event = stored.event { selection.add(event) }
            }
            let events = selection.decidingEvents
            let new = Decision(timeline: events.map(EntitlementProjection.timeline), renewal: events?.renewal?.renewal)
            decision = new
            return new
        }
    }

    /// Returns the revoked share of one of the purchase's charges, in thousandths of a percent.
    func revokedPercentage(of charge: String) -> Int {
        guard wasRevoked else { return 0 }
        return CreditRule.revokedPercentage(
            by: proofs.filter { $0.facts.charge == charge }.compactMap { $0.event?.transaction })
    }
}
