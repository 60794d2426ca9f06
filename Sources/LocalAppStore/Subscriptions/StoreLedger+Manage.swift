import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Performs the customer's action on a subscription and returns the resulting status.
    func manage(_ request: ManageRequest, by session: SessionRecord) async throws -> PurchasesReply.Status {
        let id = try await read { db in try transaction(request.transaction, of: session, db).originalID }
        switch request.action {
        case .enableAutoRenew: _ = try await act(SubscriptionRequest(.enableAutoRenew), on: id)
        case .disableAutoRenew: _ = try await act(SubscriptionRequest(.disableAutoRenew), on: id)
        case .agree: _ = try await act(SubscriptionRequest(.agree), on: id)
        case .disagree: _ = try await act(SubscriptionRequest(.disagree), on: id)
        case .change: try await change(id, request, by: session)
        }
        let found = try await read { db in
            guard let row = try SubscriptionRecord.fetchOne(db, key: id.rawValue),
                let newest = try TransactionRecord.newestPeriod(of: id, db)
            else { throw StoreError.transactionUnknown }
            return (row, newest)
        }
        return try status(found, for: session, at: clock.now)
    }

    /// Buys another product of the group.
    private func change(_ id: TransactionID, _ request: ManageRequest, by session: SessionRecord) async throws {
        guard let product = request.productID else { throw StoreError.unusable(field: "productID") }
        guard let payment = request.payment else { throw StoreError.unusable(field: "payment") }
        let group = try await read { db in try SubscriptionRecord.fetchOne(db, key: id.rawValue)?.groupID }
        let offered = try apps.require(session.bundleID).catalog.product(product)?.subscription
        guard let group, offered?.group == group else { throw StoreError.changeRefused(.productUnknown) }
        let purchase = PurchaseRequest(payment: payment, productID: product, quantity: 1, appAccountToken: nil)
        if case .refused(_, let message) = try await buy(purchase, by: session) {
            throw StoreError.changeRefused(.simulated(code: 0, message: message))
        }
    }

    /// The status of a subscription in the device API's format.
    func status(
        _ found: (row: SubscriptionRecord, newest: TransactionRecord), for session: SessionRecord, at now: Timestamp
    ) throws -> PurchasesReply.Status {
        let renewal = renewalInfo(found.row, environment: found.newest.environment, at: now)
        return PurchasesReply.Status(
            group: found.row.groupID, status: found.row.subscription.status,
            transaction: try signer.sign(found.newest, for: session.device, at: now),
            renewalInfo: try signer.sign(renewal, for: session.device)
        )
    }
}
