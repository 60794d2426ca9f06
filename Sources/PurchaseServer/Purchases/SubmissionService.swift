package import PurchaseModel
import PurchaseProof
package import PurchaseStorage
package import ServerProtocol

/// Verifies and records the purchases that apps and backends submit.
package struct SubmissionService: Sendable {
    /// The maximum number of proofs in one request.
    static let proofLimit = 100
    /// The maximum number of events in one database transaction, so that a long receipt does not delay other requests.
    private static let batchSize = 200

    let app: BundleID
    package let verifier: ProofVerifier
    let storage: any PurchaseStorage
    package let recorder: PurchaseRecorder
    let clock: any WallClock
    /// The rate limit for look-ups of one customer, because the App Store limits the server's requests.
    let lookups = TokenBucketLimiter<CustomerID>(RequestRate(perSecond: 1.0 / 60, burst: 20))

    /// Verifies and records proofs.
    ///
    /// A purchase is attributed to the customer whom its `appAccountToken` names. A customer proves a purchase without a token with the
    /// identifier of the device to which the proof was issued, or through a backend. A receipt of iOS 6 proves no device, and attributes a
    /// purchase only to the first customer who submits the purchase. Anyone can guess a transaction identifier, so an app receives a result
    /// for an identifier only if the app's customer has the purchase.
    ///
    /// - Parameters:
    ///   - request: The proofs.
    ///   - reference: The customer; nil to attribute purchases by `appAccountToken` only.
    ///   - isBackend: Whether a backend names the customer, which replaces the proof of a device.
    /// - Throws: ``SubmissionRefusal``, ``CustomerRefusal``, or `StorageError`, after which some proofs can be recorded.
    func submit(
        _ request: SubmitPurchasesRequest, for reference: CustomerReference?, isBackend: Bool
    ) async throws -> SubmitPurchasesReply {
        guard (1...Self.proofLimit).contains(request.proofs.count) else { throw SubmissionRefusal.count }
        let customer = try await customer(reference)
        var results: [ProofResult] = []
        for input in request.proofs {
            let proof: ProofVerifier.Proof
            do throws(ProofRefusal) {
                if input.transactionID != nil, !isBackend { try countLookup(by: customer) }
                proof = try await verifier.verify(input, in: request)
                try check(proof.events)
            } catch {
                results.append(error.result)
                continue
            }
            let attribution: PurchaseRecord.Attribution? = isBackend ? .backend : proof.attribution
            let claim = customer.flatMap { customer in
                attribution.map { PurchaseRecorder.Claim(customer: customer, attribution: $0) }
            }
            let purchases = try await record(proof.events, claim, for: customer)
            let isDisclosed = input.transactionID == nil || isBackend || purchases.allSatisfy { $0.belongsToCustomer }
            results.append(isDisclosed ? ProofResult(purchases: purchases) : ProofRefusal.unknownTransaction.result)
        }
        let balances = try await storage.read(app) { try customer.map($0.balanceReplies) ?? [] }
        return SubmitPurchasesReply(customer: customer, results: results, balances: balances)
    }

    /// Returns the customer whom a request names, and creates a customer for an unknown alias.
    package func customer(_ reference: CustomerReference?) async throws -> CustomerID? {
        guard let reference else { return nil }
        if case .alias = reference {
            return try await storage.write(app) { [clock] in try $0.customerOrNew(reference, at: clock.now) }
        }
        return try await storage.read(app) { try $0.customer(reference) }
    }

    private func countLookup(by customer: CustomerID?) throws(ProofRefusal) {
        guard let customer else { throw .unknownTransaction }
        guard lookups.count(customer, at: clock.now) == nil else { throw .lookupLimit }
    }

    /// Refuses quantities that the App Store does not sell.
    package func check(_ events: [VerifiedEvent]) throws(ProofRefusal) {
        let catalog = recorder.catalog.catalog
        for transaction in events.map(\.event.transaction) {
            guard (1...10).contains(transaction.quantity),
                CreditRule.credits(perUnit: catalog[transaction.productId]?.credits ?? 0, quantity: transaction.quantity) != nil
            else { throw .quantity }
        }
    }

    /// Records verified events, and returns the result of each transaction.
    package func record(
        _ events: [VerifiedEvent], _ claim: PurchaseRecorder.Claim?, for customer: CustomerID?
    ) async throws -> [SubmittedPurchase] {
        var purchases: [SubmittedPurchase] = []
        var rest = events[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batchSize))
            rest = rest.dropFirst(batch.count)
            purchases += try await storage.write(app) { [recorder] records in
                try batch.map { event in
                    SubmittedPurchase(
                        event.event.transaction, try recorder.record(event, claim: claim, in: records), for: customer,
                        isKnownProduct: recorder.catalog.catalog[event.event.transaction.productId] != nil, in: records)
                }
            }
        }
        return purchases
    }
}

extension SubmittedPurchase {
    /// Whether the customer of the request has the purchase.
    fileprivate var belongsToCustomer: Bool { fulfillment == .complete || fulfillment == .unknownProduct }

    /// Creates the result of a recorded transaction for a customer, or for the purchase's owner if `customer` is nil.
    fileprivate init(
        _ transaction: TransactionPayload, _ recorded: PurchaseRecorder.Recorded, for customer: CustomerID?, isKnownProduct: Bool,
        in records: any StorageTransaction
    ) {
        let owner = recorded.purchase.customer
        let holder = customer ?? owner
        // State the credits only for the transaction and the customer of the charge's first record; a restore states 0 credits.
        let credit = recorded.credit.flatMap {
            $0.transactionID == transaction.transactionId && $0.customer == holder ? $0.credits - $0.revoked : nil
        }
        var previous: CustomerID?
        var isShared = false
        var fulfillment = owner == nil ? Fulfillment.unattributed : isKnownProduct ? .complete : .unknownProduct
        switch recorded.claim {
        case .transferred(let from): previous = from
        case .shared(let by): (previous, isShared) = (by, true)
        case .refused: fulfillment = .otherCustomer
        case .refusedForLimit: fulfillment = .transferLimit
        case .owner: break
        case nil:
            if let customer, let owner, owner != customer, !recorded.purchase.sharedWith.contains(customer) { fulfillment = .otherCustomer }
        }
        self.init(
            transactionID: transaction.transactionId, originalTransactionID: transaction.originalTransactionId,
            productID: transaction.productId, fulfillment: fulfillment, previousCustomer: previous,
            isShared: isShared, credits: credit ?? 0, isKnown: recorded.isKnown)
    }
}
