public import PurchaseModel
import PurchaseProof
import ServerProtocol
import Wire

/// The customer to whom a purchase belonged before the server assigned it to the app's customer.
public struct PreviousOwner: Hashable, Sendable {
    /// The rule by which a customer receives a purchase of another customer.
    public enum Rule: Hashable, Sendable {
        /// The purchase moved from the previous customer to the app's customer (transfer policy `transfer`).
        case transferred
        /// Both customers have the purchase (transfer policy `share`).
        case shared
    }

    /// The previous customer.
    public let customer: CustomerID
    /// The rule by which the app's customer received the purchase.
    public let rule: Rule
}

/// Submits transactions to the server; transactions that wait at the same time share a request.
actor PurchaseSubmitter {
    /// The server's decision about a transaction.
    enum Outcome: Sendable {
        /// The purchase belongs to the app's customer.
        case complete(PreviousOwner?)
        /// The purchase stays with another customer.
        case otherCustomer
    }

    private struct Submission {
        let transaction: SignedTransaction
        let answer: CheckedContinuation<Result<ProofResult, WireClientError>, Never>
    }

    /// The maximum number of transactions in a request.
    private static let batchLimit = 100

    private let service: any PurchaseService
    /// Reports the result of a request to the server: the error, or nil after a success.
    private let answered: @Sendable (WireClientError?) async -> Void
    private var submissions: [Submission] = []
    private var isSending = false

    init(_ service: any PurchaseService, answered: @escaping @Sendable (WireClientError?) async -> Void) {
        self.service = service
        self.answered = answered
    }

    /// The number of transactions that wait for the next request.
    var waitingCount: Int { submissions.count }

    /// Submits the transaction of a purchase.
    ///
    /// - Throws: ``DeliveryError/later(_:)`` if the server could not be reached or can't assign the purchase yet,
    ///   ``DeliveryError/refused(_:)`` if the server refused the transaction.
    func submit(_ purchase: Purchase) async throws(DeliveryError) -> Outcome {
        let result: ProofResult
        do throws(WireClientError) {
            result = try await send(purchase.transaction.original)
        } catch {
            // Retry later after a refused customer token, because the app may obtain another token.
            if case .refused(401, let reason) = error { throw .later(reason.message) }
            throw error.isRetryable ? .later(error.description) : .refused(error.description)
        }
        switch result.status {
        case .refused: throw .refused(result.message ?? "The server refused the purchase.")
        case .indeterminate: throw .later(result.message ?? "The server can't verify the purchase yet.")
        case .verified: break
        }
        guard let submitted = result.purchases.first(where: { $0.transactionID == purchase.id }) else {
            throw .later("The server's answer does not contain the purchase.")
        }
        switch submitted.fulfillment {
        case .complete:
            return .complete(
                submitted.previousCustomer.map { PreviousOwner(customer: $0, rule: submitted.isShared == true ? .shared : .transferred) })
        case .otherCustomer: return .otherCustomer
        case .unattributed, .unknownProduct: throw .later("The server can't assign the purchase yet.")
        case .transferLimit: throw .refused("The purchase was moved between customers too often. Contact support.")
        }
    }

    private func send(_ transaction: SignedTransaction) async throws(WireClientError) -> ProofResult {
        let result = await withCheckedContinuation { continuation in
            submissions.append(Submission(transaction: transaction, answer: continuation))
            guard !isSending else { return }
            isSending = true
            Task { await sendAll() }
        }
        return try result.get()
    }

    private func sendAll() async {
        while !submissions.isEmpty {
            let batch = Array(submissions.prefix(Self.batchLimit))
            submissions.removeFirst(batch.count)
            do throws(WireClientError) {
                let reply = try await service.submit(batch.map(\.transaction))
                guard reply.results.count == batch.count else { throw .invalidResponse(status: 200) }
                for (submission, result) in zip(batch, reply.results) { submission.answer.resume(returning: .success(result)) }
                await answered(nil)
            } catch {
                await answered(error)
                for submission in batch { submission.answer.resume(returning: .failure(error)) }
            }
        }
        isSending = false
    }
}
