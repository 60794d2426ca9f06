import AppStoreServerAPI
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage
import ServerProtocol

/// A reason to repeat the request for a record.
enum ImportProblem: Error {
    /// The App Store refuses requests until a date; nil if the App Store states no date.
    case rateLimit(Timestamp?)
    /// The App Store or the database is unavailable, for the reason in the message.
    case temporary(String)
}

/// Counts the attempts for a record while the App Store or the database is unavailable.
struct ImportAttempts {
    private static let limit = 8
    private static let backoff = Backoff(from: .seconds(2), upTo: .seconds(60))
    private var failures = 0

    /// Returns the date of the next request for a record.
    ///
    /// A rate limit does not count as an attempt, because the limit ends without intervention.
    ///
    /// - Parameters:
    ///   - problem: The problem of the previous request.
    ///   - line: The line of the record.
    ///   - now: The date of the problem.
    /// - Throws: ``ImportInterruption`` after the last attempt.
    mutating func next(after problem: ImportProblem, line: Int64, at now: Timestamp) throws(ImportInterruption) -> Timestamp {
        switch problem {
        case .rateLimit(let date): return date ?? now.adding(seconds: 60)
        case .temporary(let message):
            failures += 1
            guard failures < Self.limit else {
                throw ImportInterruption(message: "\(message) Run the command again, which continues at or before line \(line).")
            }
            return now.adding(seconds: Self.backoff.delay(after: failures).components.seconds)
        }
    }
}

/// Looks up or verifies the purchase of one record of an import file, and stores the purchase.
struct ImportJob: Sendable {
    let app: BundleID
    let storage: any PurchaseStorage
    let purchases: SubmissionService
    /// The requests to the App Store; nil without a key of the App Store Server API.
    let history: PurchaseHistoryClient?
    let pace: RequestPace
    let clock: any WallClock
    let owners: ImportOwners

    /// Processes a record, and waits while the App Store or the database is unavailable.
    ///
    /// - Throws: ``ImportInterruption``, ``PurchaseImportError/unauthorized``, an error of the storage, or `CancellationError`.
    func process(_ row: ImportRow, line: Int64) async throws -> ImportResult {
        var attempts = ImportAttempts()
        while true {
            let problem: ImportProblem
            do {
                return try await once(row, line: line)
            } catch let refusal as ProofRefusal where !refusal.isIndeterminate {
                let result = refusal.result
                return .refused(
                    ImportRefusal(line: line, code: result.code ?? "", reason: result.message ?? ""),
                    isUnknown: refusal == .unknownTransaction)
            } catch let refusal as CustomerConflict {
                return .refused(ImportRefusal(line: line, code: refusal.code, reason: refusal.reason), isUnknown: false)
            } catch let refusal as RefusedRequest {
                return .refused(ImportRefusal(line: line, code: "import.app-store", reason: refusal.reason), isUnknown: false)
            } catch let error as ImportProblem {
                problem = error
            } catch let error as StorageError where error == .overloaded || error == .locked || error == .unreachable {
                problem = .temporary("The database is unavailable.")
            } catch let refusal as ProofRefusal {
                problem = .temporary(refusal.result.message ?? "")
            }
            let next = try attempts.next(after: problem, line: line, at: clock.now)
            await pace.pause(until: next)
            try await pace.wait()
        }
    }

    /// The App Store refused the request for a record, and would refuse the same request again.
    private struct RefusedRequest: Error {
        let response: ServerAPIErrorResponse

        var reason: String { "The App Store refused the request: \(AppStoreServerAPIError.api(response))" }
    }

    /// The purchase belongs to a customer other than the record's customer.
    private struct CustomerConflict: Error {
        let code: String
        let reason: String
    }

    /// Returns the key of the purchase of a record, from the identifier or the receipt in the record.
    func key(of row: ImportRow) -> OpaqueText? { ImportOwners.key(of: row, usesIdentifier: history != nil) }

    /// Returns the result of a record whose purchase is already assigned to another record of the file, without a request to the App Store.
    func double(_ row: ImportRow, line: Int64, of owner: ImportOwners.Owner) async throws -> ImportResult {
        guard try await !isSame(row.customer, as: owner.customer) else { return .known }
        return .refused(
            ImportRefusal(
                line: line, code: "import.double",
                reason: "Line \(owner.line) names the same purchase for another customer, to whom it belongs. Import one line."),
            isUnknown: false)
    }

    /// Returns whether two records name the same customer; a record without a customer matches every customer.
    private func isSame(_ customer: CustomerReference?, as other: CustomerReference?) async throws -> Bool {
        guard let customer, let other, customer != other else { return true }
        return try await storage.read(app) { records in
            guard let customer = try records.customer(customer), let other = try records.customer(other) else { return false }
            return customer == other
        }
    }

    private func once(_ row: ImportRow, line: Int64) async throws -> ImportResult {
        let events = try await events(of: row)
        try purchases.check(events)
        // Also assign the purchases by their original identifiers, because two records may name different transactions of one purchase.
        let named = Set(events.map(\.event.transaction.originalTransactionId)).map { ImportOwners.key(of: $0) }
        var isRecorded = false
        defer { owners.end(named.filter { $0 != key(of: row) }, line: line, isRefused: !isRecorded) }
        for owner in try await owners.take(named, row.customer, line: line) {
            let result = try await double(row, line: line, of: owner)
            if case .refused = result { return result }
        }
        let ids = Set(events.map(\.event.transaction.originalTransactionId))
        let owned = try await storage.read(app) { records in try ids.filter { try records.purchase($0)?.customer != nil } }
        let submissions = events.map { SubmissionService.Submission(event: $0, attribution: .backend) }
        let recorded = try await purchases.record(submissions, for: row.customer).purchases
        for purchase in recorded {
            switch purchase.fulfillment {
            case .otherCustomer, .transferLimit:
                throw CustomerConflict(
                    code: "import.\(purchase.fulfillment.rawValue)",
                    reason: "The transaction \(purchase.transactionID) is recorded, and stays with the customer to whom it belongs.")
            case .complete, .unattributed, .unknownProduct: break
            }
        }
        let isNew = recorded.contains { purchase in
            !purchase.isKnown || purchase.previousCustomer != nil
                || purchase.fulfillment != .unattributed && !owned.contains(purchase.originalTransactionID)
        }
        isRecorded = true
        return isNew ? .imported : .known
    }

    /// Returns whether the purchase of a record is probably a subscription, according to the record and otherwise to the catalog.
    private func isLikelySubscription(_ row: ImportRow) -> Bool {
        if let isAutoRenewable = row.isAutoRenewable { return isAutoRenewable }
        let catalog = purchases.recorder.catalog.catalog
        if let type = row.product.flatMap({ catalog[$0]?.type }) { return type == .autoRenewable }
        return catalog.products.isEmpty || catalog.products.contains { ($0.type ?? .autoRenewable) == .autoRenewable }
    }

    /// Returns the verified events of a record: from the App Store for an identifier, or from the receipt without an identifier or API key.
    private func events(of row: ImportRow) async throws -> [VerifiedEvent] {
        if let identifier = row.identifier, let history {
            do throws(PurchaseHistoryClient.Failure) {
                return try await history.events(of: identifier, isLikelySubscription: isLikelySubscription(row))
            } catch {
                switch error {
                case .unknown: throw ProofRefusal.unknownTransaction
                case .unverified(let failure): throw ProofRefusal.unverified(failure)
                case .api(.canceled): throw CancellationError()
                case .api(.unauthorized): throw PurchaseImportError.unauthorized
                case .api(.rateLimited(let date)): throw ImportProblem.rateLimit(date)
                // Refuse the record, because the same request never succeeds, and a repetition would block the later records.
                case .api(.api(let response)) where response.error?.isRetryable != true: throw RefusedRequest(response: response)
                case .api(let error): throw ImportProblem.temporary("\(error)")
                }
            }
        }
        guard let receipt = row.receipt else { throw ProofRefusal.lookupNotConfigured }
        let isTransactionReceipt = receipt.first == UInt8(ascii: "{")
        let input = PurchaseProofInput(
            receipt: isTransactionReceipt ? nil : receipt, transactionReceipt: isTransactionReceipt ? receipt : nil)
        return try await purchases.verifier.verify(input, in: SubmitPurchasesRequest(proofs: [])).events
    }
}
