import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Performs an action that the user chose in the device's subscription sheet, and returns the new status of the subscription.
    ///
    /// - Throws: ``StoreError/changeRefused(_:)`` if the store refuses a change to another product.
    func manage(_ request: ManageSubscriptionRequest, by session: SessionRecord) async throws -> HistoryReply.Status {
        let id = try await read { db in try transaction(request.transactionID, of: session, db).originalID }
        switch request.action {
        case .enableAutoRenew: _ = try await performAction(SubscriptionRequest(.enableAutoRenew), on: id)
        case .disableAutoRenew: _ = try await performAction(SubscriptionRequest(.disableAutoRenew), on: id)
        case .consentToPriceIncrease: _ = try await performAction(SubscriptionRequest(.consentToPriceIncrease), on: id)
        case .declinePriceIncrease: _ = try await performAction(SubscriptionRequest(.declinePriceIncrease), on: id)
        case .changeProduct: try await change(id, request, by: session)
        }
        let found = try await read { db in
            guard let row = try SubscriptionRecord.fetchOne(db, key: id.rawValue),
                let newest = try TransactionRecord.newestPeriod(of: id, db)
            else { throw StoreError.transactionUnknown }
            return (row, newest)
        }
        return try status(found, for: session, at: clock.now)
    }

    /// Changes a subscription to another product of its subscription group.
    private func change(_ id: TransactionID, _ request: ManageSubscriptionRequest, by session: SessionRecord) async throws {
        guard let product = request.productID else { throw StoreError.invalidValue(field: "productID") }
        guard let payment = request.payment else { throw StoreError.invalidValue(field: "payment") }
        let group = try await read { db in try SubscriptionRecord.fetchOne(db, key: id.rawValue)?.groupID }
        let requestedTerms = try apps.require(session.bundleID).catalog.product(product)?.subscription
        guard let group, requestedTerms?.group == group else { throw StoreError.changeRefused(.productUnavailable) }
        let purchase = PurchaseRequest(payment: payment, productID: product, quantity: 1, appAccountToken: nil)
        if case .refused(_, let message) = try await buy(purchase, by: session) {
            throw StoreError.changeRefused(.simulated(code: 0, message: message))
        }
    }

    /// Returns the status of a subscription as the device API sends it.
    ///
    /// The status contains the newest transaction and the renewal info, both signed for the device.
    func status(
        _ found: (row: SubscriptionRecord, newest: TransactionRecord), for session: SessionRecord, at now: Timestamp
    ) throws -> HistoryReply.Status {
        let renewal = renewalInfo(found.row, environment: found.newest.environment, at: now)
        return HistoryReply.Status(
            group: found.row.groupID, status: found.row.subscription.status,
            signedTransaction: try signer.sign(found.newest, for: session.device, at: now),
            signedRenewalInfo: try signer.sign(renewal, for: session.device)
        )
    }
}
