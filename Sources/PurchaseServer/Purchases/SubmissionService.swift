import PurchaseModel
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
    /// Counts the verifications; nil to count none.
    var metrics: ServerMetrics?
    /// Limits the rate of one customer's look-ups, because the App Store limits the server's requests.
    let lookups = TokenBucketLimiter<CustomerID>(RequestRate(perSecond: 1.0 / 60, burst: 20))

    /// Verifies and records the proofs of a request.
    ///
    /// A purchase is attributed to the customer in its `appAccountToken`. Without a token, a purchase is attributed to the customer of a
    /// request with the identifier of the device to which the receipt or the transaction was issued, or to the customer in a backend's
    /// request. A receipt of iOS 6 does not prove the device of the purchase, and attributes a purchase only to the first customer who
    /// submits the purchase. Anyone can guess a transaction identifier, so an app receives a result for an identifier only if the app's
    /// customer has the purchase.
    ///
    /// - Parameters:
    ///   - request: The proofs.
    ///   - reference: The customer; nil to attribute purchases by `appAccountToken` only.
    ///   - isBackend: Whether a backend identifies the customer; a backend needs no proof of a device.
    /// - Returns: The results. Nothing is recorded before the verification of all proofs ends, so a client can repeat a request without an
    ///   answer.
    /// - Throws: ``SubmissionRefusal``, ``CustomerRefusal``, or `StorageError`, after which some proofs may be recorded.
    func submit(
        _ request: SubmitPurchasesRequest, for reference: CustomerReference?, isBackend: Bool
    ) async throws -> SubmitPurchasesReply {
        guard (1...Self.proofLimit).contains(request.proofs.count) else { throw SubmissionRefusal.count }
        var verified: [(input: PurchaseProofInput, outcome: Result<ProofVerifier.Proof, ProofRefusal>)] = []
        let looksUp = !isBackend && request.proofs.contains { $0.transactionID != nil }
        // Refuse an unknown customer token before the expensive verification of many proofs.
        let customer = looksUp || !isBackend && request.proofs.count > 1 ? try await customer(reference) : nil
        for input in request.proofs {
            do throws(ProofRefusal) {
                if looksUp, input.transactionID != nil { try countLookup(by: customer) }
                let proof = try await verifier.verify(input, in: request)
                try check(proof.events)
                verified.append((input, .success(proof)))
                metrics?.submission(input.kind, "verified", of: app)
            } catch {
                verified.append((input, .failure(error)))
                metrics?.submission(input.kind, error.isIndeterminate ? "indeterminate" : "refused", of: app)
            }
        }
        let submissions = verified.flatMap { _, outcome in
            guard case .success(let proof) = outcome else { return [Submission]() }
            return proof.events.map { Submission(event: $0, attribution: isBackend ? .backend : proof.attribution) }
        }
        let recorded = try await record(submissions, for: reference)
        var rest = recorded.purchases[...]
        let results = verified.map { input, outcome in
            switch outcome {
            case .failure(let refusal): return refusal.result
            case .success(let proof):
                let purchases = Array(rest.prefix(proof.events.count))
                rest = rest.dropFirst(purchases.count)
                let isDisclosed = input.transactionID == nil || isBackend || purchases.allSatisfy { $0.belongsToCustomer }
                return isDisclosed ? ProofResult(purchases: purchases) : ProofRefusal.unknownTransaction.result
            }
        }
        return SubmitPurchasesReply(customer: recorded.customer, results: results, balances: recorded.balances)
    }

    /// Returns the customer whom a request identifies, and creates a customer for an unknown alias.
    private func customer(_ reference: CustomerReference?) async throws -> CustomerID? {
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

    /// Refuses a quantity that is not from 1 to 10, or whose credits exceed 64 bits.
    package func check(_ events: [VerifiedEvent]) throws(ProofRefusal) {
        let catalog = recorder.catalog.catalog
        for transaction in events.map(\.event.transaction) {
            guard (1...10).contains(transaction.quantity),
                CreditRule.credits(perUnit: catalog[transaction.productId]?.credits ?? 0, quantity: transaction.quantity) != nil
            else { throw .quantity }
        }
    }

    /// Records verified events, and the claims of a customer.
    ///
    /// The method looks up the customer in the database transaction that records the events, so that no merge of customers comes between
    /// the two steps.
    ///
    /// - Parameters:
    ///   - submissions: The verified events.
    ///   - reference: The customer; nil to attribute purchases by `appAccountToken` only.
    package func record(_ submissions: [Submission], for reference: CustomerReference?) async throws -> Recorded {
        // Also look up the customer of a request without verified events, because the answer contains the customer's balances.
        guard !submissions.isEmpty else {
            guard let customer = try await customer(reference) else { return Recorded() }
            return Recorded(customer: customer, balances: try await storage.read(app) { try $0.balanceReplies(of: customer) })
        }
        var recorded = Recorded()
        var rest = submissions[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.batchSize)
            rest = rest.dropFirst(batch.count)
            do {
                try await record(batch, for: reference, isLast: rest.isEmpty, after: &recorded)
            } catch {
                guard batch.count > 1, !(error is StorageError), !(error is CustomerRefusal) else { throw error }
                // Repeat the events one by one, so that the events before a damaged purchase are recorded.
                for index in batch.indices {
                    try await record(
                        batch[index...index], for: reference, isLast: rest.isEmpty && index == batch.indices.last, after: &recorded)
                }
            }
        }
        return recorded
    }

    /// Records submissions in one database transaction, and reads the balances after the last batch.
    private func record(
        _ batch: ArraySlice<Submission>, for reference: CustomerReference?, isLast: Bool, after recorded: inout Recorded
    ) async throws {
        let next = try await storage.write(app) { [recorder, clock] records in
            var next = Recorded(customer: try reference.map { try records.customerOrNew($0, at: clock.now) })
            for submission in batch { next.purchases.append(try recorder.record(submission, for: next.customer, in: records)) }
            if isLast { next.balances = try next.customer.map(records.balanceReplies) ?? [] }
            return next
        }
        recorded = Recorded(customer: next.customer, purchases: recorded.purchases + next.purchases, balances: next.balances)
    }
}

extension SubmissionService {
    /// A verified event that a customer or a backend submits.
    package struct Submission: Sendable {
        let event: VerifiedEvent
        /// The attribution of the customer's claim; nil for a proof that supports no claim.
        let attribution: PurchaseRecord.Attribution?

        package init(event: VerifiedEvent, attribution: PurchaseRecord.Attribution?) {
            self.event = event
            self.attribution = attribution
        }
    }

    /// The recorded purchases of submissions, and the customer's balances.
    package struct Recorded: Sendable {
        /// The customer of the request; nil for a request without a customer.
        var customer: CustomerID?
        /// The purchases in the order of the submissions.
        package fileprivate(set) var purchases: [SubmittedPurchase] = []
        /// The customer's balances after the submissions.
        var balances: [BalanceReply] = []
    }
}

extension PurchaseRecorder {
    /// Records a submitted event of a customer.
    fileprivate func record(
        _ submission: SubmissionService.Submission, for customer: CustomerID?, in records: any StorageTransaction
    ) throws -> SubmittedPurchase {
        let transaction = submission.event.event.transaction
        let claim = customer.flatMap { customer in submission.attribution.map { Claim(customer: customer, attribution: $0) } }
        return SubmittedPurchase(
            transaction, try record(submission.event, claim: claim, in: records), for: customer,
            isKnownProduct: catalog.catalog[transaction.productId] != nil)
    }
}

extension SubmittedPurchase {
    /// Whether the customer of the request has the purchase.
    fileprivate var belongsToCustomer: Bool { fulfillment == .complete || fulfillment == .unknownProduct }

    /// Creates the result of a recorded transaction for a customer, or for the purchase's owner if `customer` is nil.
    fileprivate init(
        _ transaction: TransactionPayload, _ recorded: PurchaseRecorder.Recorded, for customer: CustomerID?, isKnownProduct: Bool
    ) {
        let owner = recorded.purchase.customer
        let holder = customer ?? owner
        // State the credits only for the transaction that added them and its customer; a restore states 0 credits.
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

extension PurchaseProofInput {
    /// The kind of the proof, as metrics state it.
    fileprivate var kind: String {
        if signedTransaction != nil { return "transaction" }
        if receipt != nil { return "receipt" }
        return transactionReceipt == nil ? "identifier" : "transaction_receipt"
    }
}
