import GRDB
import PurchaseModel

extension StoreLedger {
    /// The most characters of an id that a device makes.
    static let identifierLimit = 100

    /// Settles a payment once; a repeat is answered with what came of it before, and charges nothing.
    ///
    /// Payment, transaction, charge, subscription and notification are written together, before the answer.
    func buy(_ request: PurchaseRequest, by session: SessionRow) async throws -> PurchaseReply {
        guard (1...Self.identifierLimit).contains(request.payment.rawValue.utf8.count) else {
            throw StoreError.unusable(field: "payment")
        }
        do {
            let settled = try await write { db, now in try settle(request, by: session, at: now, db) }
            guard let settled else { return .deferred }
            return .purchased(transaction: try signer.sign(settled, at: clock.now))
        } catch let refusal as PurchaseRefusal {
            return .refused(code: refusal.code, message: refusal.message)
        }
    }

    /// The payment's transaction, new or known; nil while it waits for a parent.
    ///
    /// A refusal undoes the payment as well.
    private func settle(_ request: PurchaseRequest, by session: SessionRow, at now: Timestamp, _ db: Database) throws -> TransactionRow? {
        let account = try AccountRow.require(session.account, db)
        let payment = PaymentRow(
            id: request.payment,
            account: account.id,
            device: session.device,
            appVersion: session.appVersion,
            productID: request.productID,
            quantity: request.quantity,
            appAccountToken: request.appAccountToken,
            state: account.asksToBuy ? .deferred : .settled
        )
        try payment.insert(db, onConflict: .ignore)
        guard db.changesCount == 1 else { return try outcome(of: payment, db) }
        let sale = try Sale(payment, catalogue: catalogue, db)
        switch payment.state {
        case .settled: return try charge(sale, for: payment, at: now, db)
        case .deferred, .declined: return nil
        }
    }

    private func outcome(of payment: PaymentRow, _ db: Database) throws -> TransactionRow? {
        guard let known = try PaymentRow.fetchOne(db, key: payment.id.rawValue), payment.isRepeat(of: known) else {
            throw StoreError.paymentReused
        }
        switch known.state {
        case .deferred: return nil
        case .declined: throw PurchaseRefusal.declined
        case .settled:
            return try TransactionRow.fetchOne(db, sql: "SELECT * FROM transactions WHERE payment = ?", arguments: [known.id.rawValue])
        }
    }

    /// Writes everything that a sale consists of.
    func charge(_ sale: Sale, for payment: PaymentRow, at now: Timestamp, _ db: Database) throws -> TransactionRow {
        let id = TransactionID(try StoreCounter.transaction.next(db))
        let date = now.wholeSeconds
        var row = TransactionRow(
            id: id,
            originalID: sale.original?.id ?? id,
            kind: .purchase,
            account: payment.account,
            device: payment.device,
            appVersion: payment.appVersion,
            productID: sale.product.id,
            type: sale.product.type,
            groupID: sale.product.subscription?.group,
            quantity: payment.quantity,
            price: sale.price,
            currency: sale.product.price.currency,
            reason: "PURCHASE",
            purchaseDate: date,
            originalPurchaseDate: sale.original?.originalPurchaseDate ?? date,
            appAccountToken: payment.appAccountToken,
            payment: payment.id
        )
        guard let terms = sale.product.subscription else {
            try insert(row, at: now, db)
            // What was owned already is no news to anybody.
            if sale.original == nil {
                try notify(row.type == .freeSubscription ? .subscribed : .oneTimeCharge, about: row, at: now, db)
            }
            return row
        }
        let subscription = Subscription(
            originalTransactionID: row.originalID,
            productID: row.productID,
            period: terms.period,
            start: date,
            grantsGrace: catalogue.grantsGrace
        )
        row.expiresDate = subscription.paidUntil
        row.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        try insert(row, at: now, db)
        try SubscriptionRow(account: row.account, groupID: terms.group, subscription: subscription).save(db)
        try notify(sale.original == nil ? .subscribed : .resubscribed, about: row, subscription, at: now, db)
        return row
    }

    /// Writes a transaction, and the charge when it costs something.
    func insert(_ row: TransactionRow, at now: Timestamp, _ db: Database) throws {
        try row.insert(db)
        if row.price != 0 {
            try ChargeRow(.charge, of: row, at: now).insert(db)
        }
    }
}
