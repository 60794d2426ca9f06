import AppStoreServerAPI
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import Wire

/// One run of a ``ReconciliationService``.
struct ReconciliationRun {
    /// The maximum number of purchases in one claim.
    private static let batchSize = 20
    /// The time in seconds after which claimed purchases are due again, if the process was stopped meanwhile.
    private static let claimSeconds: Int64 = 300
    /// The maximum number of pages of one refund history, each of which has 20 transactions.
    private static let pageLimit = 50
    /// The time in seconds until the next look-up of a purchase if the App Store's answer could not be verified.
    private static let retrySeconds: Int64 = 300

    private let service: ReconciliationService
    private let until: Timestamp
    private var progress: ReconciliationProgress
    private var report: ReconciliationReport
    private var requests = 0
    /// Whether a signature in the App Store's answers could not be checked, for example because the revocation status was unavailable.
    private var isIndeterminate = false

    /// Creates a run that requests the notifications up to a date.
    init(service: ReconciliationService, until: Timestamp) {
        self.service = service
        self.until = until
        progress = ReconciliationProgress(environment: service.environment)
        report = ReconciliationReport(app: service.app, startedAt: until, since: until)
    }

    /// The reason for the early end of a run.
    private enum Interruption: Error {
        case api(AppStoreServerAPIError)
        case requestLimit
    }

    /// Requests the notifications and looks up the due purchases, until the first error of the App Store.
    ///
    /// - Throws: `StorageError` or `CancellationError`.
    mutating func run(since: Timestamp?) async throws -> ReconciliationReport {
        let environment = service.environment
        progress = try await service.storage.read(service.app) { try $0.reconciliation(in: environment) } ?? progress
        progress.begin(since: since, at: until)
        report.since = progress.window?.start ?? until
        try await store()
        do {
            try await readHistory()
            try await lookUpPurchases()
            let seats = try await service.teams.checkDue()
            (report.teams, report.releasedSeats, report.unknownSeatClaims) = (seats.teams, seats.released, seats.unknown)
            if isIndeterminate || progress.completeUntil.map({ $0 < until }) ?? true {
                report.outcome = .indeterminate
                report.message = "Some signed data could not be verified. The next run requests the data again."
            } else {
                progress.completedAt = service.clock.now
                try await store()
            }
        } catch Interruption.requestLimit {
            report.outcome = .requestLimit
            report.message = "The limit of requests of one run was reached. The next run continues."
        } catch Interruption.api(let error) {
            guard error != .canceled else { throw CancellationError() }
            if error.isRetryable { service.connection.outages.failed() }
            report.outcome = error.outcome
            report.message = "\(error)"
        }
        report.completeUntil = progress.completeUntil
        // End the outage without a further run, because a complete run has requested all missed data.
        if report.outcome == .complete { service.connection.outages.ended() }
        return report
    }

    private func store() async throws {
        try await service.storage.write(service.app) { [progress] in try $0.put(progress) }
    }

    // MARK: Notifications

    private mutating func readHistory() async throws {
        var pages = 0
        while let window = progress.window {
            guard pages < service.limits.pages else { throw Interruption.requestLimit }
            pages += 1
            let page: NotificationHistoryResponse
            do throws(AppStoreServerAPIError) {
                page = try await service.client.getNotificationHistory(
                    paginationToken: window.paginationToken, notificationHistoryRequest: window.request)
            } catch {
                switch error.apiError {
                case .paginationTokenExpired?, .invalidPaginationToken?:
                    guard window.paginationToken != nil else { throw Interruption.api(error) }
                    progress.window = window.restarted
                    continue
                default: throw Interruption.api(error)
                }
            }
            try await record(page)
            if page.hasMore {
                guard let token = page.paginationToken, token != window.paginationToken else {
                    throw Interruption.api(.malformedResponse(status: 200, "The response states hasMore, but no new pagination token."))
                }
                progress.window?.paginationToken = token
            } else {
                progress.finishWindow(until: until)
            }
            try await store()
        }
    }

    /// Records the page's notifications that the server has not stored.
    private mutating func record(_ page: NotificationHistoryResponse) async throws {
        for item in page.notificationHistory {
            report.found += 1
            let notification: VerifiedNotification
            do throws(NotificationRefusal) {
                notification = try await service.notifications.verified(item.signedPayload)
            } catch {
                if case .unverified(.indeterminate) = error {
                    report.indeterminate += 1
                    progress.window?.isVerified = false
                } else {
                    report.refused += 1
                }
                service.logger.notice(
                    "notification of the history refused", metadata: ["app": "\(service.app)", "reason": "\(error.wireError.message)"])
                continue
            }
            try await record(notification)
        }
    }

    private mutating func record(_ notification: VerifiedNotification) async throws {
        let uuid = notification.notification.payload.notificationUUID
        // Read first, because most notifications are stored, and a read is cheaper than a write.
        guard try await !service.storage.read(service.app, { try $0.isStored(notification: uuid) }) else { return }
        report.missing += 1
        do {
            guard let record = try await service.notifications.record(notification) else { return }
            report.add(record)
            let seconds = max(0, record.receivedAt.milliseconds(since: record.signedDate)) / 1_000
            service.logger.notice(
                "missing notification recorded",
                metadata: [
                    "app": "\(service.app)", "uuid": "\(record.uuid)", "type": "\(record.kind)", "missing-seconds": "\(seconds)",
                ])
        } catch let error as CreditBalance.Refusal {
            // Continue with the next notification if the ledger refuses a notification's change of credits.
            report.refused += 1
            service.logger.error(
                "missing notification not recorded", metadata: ["app": "\(service.app)", "uuid": "\(uuid)", "error": "\(error)"])
        }
    }

    // MARK: Purchases

    private mutating func lookUpPurchases() async throws {
        var isComplete = false
        while !isComplete {
            isComplete = true
            let partitions = try await service.storage.read(service.app) { [until] records in
                try QueuePartition.due { try records.lookups(in: $0, dueAt: until, limit: 1).first?.dueAt }
            }
            for partition in partitions {
                // Claim the purchases, so that no other process looks them up at the same time.
                let claimedUntil = max(service.clock.now, until).adding(seconds: Self.claimSeconds)
                let claimed = try await service.storage.write(service.app) { [until] records in
                    try records.claimLookups(in: partition, dueAt: until, until: claimedUntil, limit: Self.batchSize)
                }
                for (index, lookup) in claimed.enumerated() {
                    do { try await lookUp(lookup) } catch {
                        try await release(claimed[index...], claimedUntil: claimedUntil)
                        throw error
                    }
                }
                if !claimed.isEmpty { isComplete = false }
            }
        }
    }

    /// Makes claimed look-ups due again, except for purchases that have changed since the claim.
    private func release(_ lookups: ArraySlice<PurchaseLookup>, claimedUntil: Timestamp) async throws {
        try await service.storage.write(service.app) { records in
            for lookup in lookups where try records.lookup(of: lookup.purchase)?.dueAt == claimedUntil { try records.put(lookup) }
        }
    }

    /// Requests and records the App Store's data about a purchase, and schedules the next look-up.
    private mutating func lookUp(_ lookup: PurchaseLookup) async throws {
        let purchase = lookup.purchase
        let indeterminate = report.indeterminate
        // Use no date before the run, because a clock that was set back would make the purchase due again at once.
        let (app, environment, now) = (service.app, service.environment, max(service.clock.now, until))
        func stored() async throws -> Entitlement? { try await service.storage.read(app) { try $0.purchase(purchase)?.entitlement } }
        var known = try await stored()
        if known == nil {
            // Request the transaction first: the server knows only the identifier, from a version 1 notification.
            try await requestTransaction(purchase)
            report.lookedUp += 1
            known = try await stored()
            if let known, known.productType == .autoRenewable { try await requestState(of: known) }
        } else if let known, environment.canBe(known.environment) {
            switch known.state {
            case .active, .gracePeriod, .billingRetry, .expired: try await requestState(of: known)
            case .owned: try await requestTransaction(known.originalTransactionID)
            case .revoked: try await requestReplacement(of: known)
            }
            report.lookedUp += 1
        }
        guard report.indeterminate == indeterminate else {
            // Repeat the look-up, because the answer is unverified.
            isIndeterminate = true
            let next = PurchaseLookup(
                purchase: purchase, dueAt: now.adding(seconds: Self.retrySeconds), askedAt: lookup.askedAt)
            return try await service.storage.write(app) { try $0.put(next) }
        }
        try await service.storage.write(app) { records in
            // Remove the look-up of a purchase from another environment, because this App Store Server API lacks the purchase.
            if let entitlement = try records.purchase(purchase)?.entitlement, environment.canBe(entitlement.environment) {
                try records.scheduleLookup(of: entitlement, after: now)
            } else {
                try records.removeLookup(of: purchase)
            }
        }
    }

    /// Requests and records the newest version of a transaction, including a refund.
    private mutating func requestTransaction(_ id: TransactionID) async throws {
        let info = try await request { client throws(AppStoreServerAPIError) in try await client.getTransactionInfo(transactionId: id) }
        guard let info, let event = await verified(info.signedTransactionInfo, nil, source: "transaction information") else { return }
        try await record(event)
    }

    /// Requests and records what can follow a revocation: the other refunds of the account, or the bundle that a subscription moved to.
    private mutating func requestReplacement(of known: Entitlement) async throws {
        let revoked = try await service.storage.read(service.app) { records in
            try records.transaction(known.transactionID, of: known.originalTransactionID)?.transaction
        }
        if revoked?.reasonOfRevocation == .upgradedToBundle {
            try await requestState(of: known)
        } else {
            try await requestRefunds(of: known.transactionID)
        }
    }

    /// Requests and records the refunds of the App Store account that made a purchase.
    private mutating func requestRefunds(of transaction: TransactionID) async throws {
        var revision: String?
        for _ in 0..<Self.pageLimit {
            let page = try await request { [revision] client throws(AppStoreServerAPIError) in
                try await client.getRefundHistory(transactionId: transaction, revision: revision)
            }
            guard let page else { return }
            for signed in page.signedTransactions {
                if let event = await verified(signed, nil, source: "refund history") { try await record(event) }
            }
            guard page.hasMore, page.revision != revision else { return }
            revision = page.revision
        }
    }

    private mutating func requestState(of known: Entitlement) async throws {
        let status = try await request { client throws(AppStoreServerAPIError) in
            try await client.getAllSubscriptionStatuses(transactionId: known.originalTransactionID)
        }
        guard let status else { return }
        var events: [VerifiedEvent] = []
        for last in status.data.flatMap(\.lastTransactions) {
            guard let event = await verified(last.signedTransactionInfo, last.signedRenewalInfo, source: "subscription status") else {
                continue
            }
            events.append(event)
        }
        let newest = events.first { $0.event.transaction.originalTransactionId == known.originalTransactionID }
        if newest?.event.transaction.additionalTransactionReason != nil {
            // Request the whole period, because the status contains one of the transactions that represent the period.
            let period = try await service.storage.read(service.app) { try $0.decidingEvents(of: known.originalTransactionID)?.latest }
            try await requestHistory(of: known, since: min(period?.start ?? known.purchaseDate, known.purchaseDate))
        } else if let newest, newest.event.transaction.transactionId != known.transactionID {
            // Request the history, because further periods can lie between the recorded and the newest period.
            try await requestHistory(of: known, since: known.purchaseDate)
        }
        for event in events { try await record(event) }
    }

    /// Requests and records the transactions of a subscription's periods since the start of a recorded period.
    private mutating func requestHistory(of known: Entitlement, since start: Timestamp) async throws {
        var filter = TransactionHistoryRequest()
        filter.startDate = start
        filter.productTypes = [.autoRenewable]
        var revision: String?
        while true {
            let page = try await request { [revision] client throws(AppStoreServerAPIError) in
                try await client.getTransactionHistory(
                    transactionId: known.originalTransactionID, revision: revision, transactionHistoryRequest: filter)
            }
            guard let page else { return }
            for signed in page.signedTransactions {
                guard let event = await verified(signed, nil, source: "transaction history") else { continue }
                try await record(event)
            }
            guard page.hasMore, page.revision != revision else { return }
            revision = page.revision
        }
    }

    /// Sends a request about a purchase; returns nil if the App Store has no record of the purchase.
    private mutating func request<Value: Sendable>(
        _ call: (AppStoreServerAPIClient) async throws(AppStoreServerAPIError) -> Value
    ) async throws -> Value? {
        guard requests < service.limits.lookups else { throw Interruption.requestLimit }
        requests += 1
        do throws(AppStoreServerAPIError) {
            return try await call(service.client)
        } catch {
            switch error.apiError {
            case .transactionIdNotFound?, .accountNotFound?, .invalidTransactionId?: return nil
            default: break
            }
            if case .invalidRequest = error { return nil }
            throw Interruption.api(error)
        }
    }

    private mutating func verified(
        _ transaction: SignedTransaction, _ renewalInfo: SignedRenewalInfo?, source: String
    ) async -> VerifiedEvent? {
        do throws(VerificationFailure) {
            let verified = try await service.signedData.verify(transaction)
            var verifiedRenewal: VerifiedRenewalInfo?
            if let renewalInfo { verifiedRenewal = try await service.signedData.verify(renewalInfo) }
            return VerifiedEvent(verified, verifiedRenewal, source: source)
        } catch {
            if case .indeterminate = error { report.indeterminate += 1 } else { report.refused += 1 }
            return nil
        }
    }

    /// Records an event unless its content is already recorded.
    private mutating func record(_ event: VerifiedEvent) async throws {
        let now = service.clock.now
        let missing = try await service.storage.write(service.app) { [recorder = service.notifications.recorder] records in
            guard let missing = try event.event.missing(in: records, at: now) else { return ReconciliationReport.MissingEvent?.none }
            _ = try recorder.record(event, in: records)
            return missing
        }
        guard let missing else { return }
        report.add(missing)
        service.logger.notice(
            "missing event recorded",
            metadata: [
                "app": "\(service.app)", "purchase": "\(missing.purchase)", "transaction": "\(missing.transactionID)",
                "kind": "\(missing.kind.rawValue)", "missing-seconds": "\(missing.missingSeconds)",
            ])
    }
}

extension SignedEvent {
    /// Returns the event as a missing event, with its kind; nil if the server has already recorded its content.
    fileprivate func missing(in records: any StorageTransaction, at now: Timestamp) throws -> ReconciliationReport.MissingEvent? {
        guard try isNews(in: records) else { return nil }
        let purchase = transaction.originalTransactionId
        let stored = try records.transaction(transaction.transactionId, of: purchase)?.transaction
        let kind: ReconciliationReport.Kind
        let date: Timestamp
        if let revocationDate = transaction.revocationDate, stored?.revocationDate == nil {
            (kind, date) = (.refund, revocationDate)
        } else if stored == nil {
            (kind, date) = (.transaction, transaction.purchaseDate)
        } else {
            let end = transaction.expiresDate ?? signedDate
            (kind, date) = (.renewalState, end < now ? end : signedDate)
        }
        return ReconciliationReport.MissingEvent(
            purchase: purchase, transactionID: transaction.transactionId, kind: kind,
            missingSeconds: max(0, now.milliseconds(since: date)) / 1_000)
    }
}

extension AppStoreServerAPIError {
    /// The outcome of a run that ended with this error.
    fileprivate var outcome: ReconciliationReport.Outcome {
        switch self {
        case .rateLimited: .rateLimited
        case _ where isRetryable: .unavailable
        default: .refused
        }
    }
}
