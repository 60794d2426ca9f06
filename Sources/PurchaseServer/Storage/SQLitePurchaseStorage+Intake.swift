import Foundation
import GRDB
import PurchaseModel
import PurchaseProof

extension SQLitePurchaseStorage {
    func record(_ transaction: VerifiedTransaction, for customer: CustomerID, credits: Int) async throws -> CreditGrant {
        let payload = transaction.payload
        let charge = CreditRule.addsCredits(payload) ? CreditRule.charge(of: payload) : nil
        return try await writer.write { db in
            let recorded = "SELECT TRUE FROM fact WHERE transaction_id = ? AND source = 'app' LIMIT 1"
            let isRepeat = try Bool.fetchOne(db, sql: recorded, arguments: [payload.transactionId.rawValue]) ?? false
            if let charge {
                let sql = "INSERT INTO credit_grant (charge, transaction_id, customer, credits) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
                try db.execute(sql: sql, arguments: [charge, payload.transactionId.rawValue, customer.rawValue, credits])
                if db.changesCount > 0 {
                    try Self.add(credits, to: customer, in: db)
                }
            }
            // If a refund of the transaction is already stored, this revokes the credits that were just added.
            try Self.absorb(transaction, nil, source: "app", in: db)
            // The grant states credits only for the transaction and the customer of the charge's first record, so 0 for a restore.
            let granted = "SELECT credits - reclaimed FROM credit_grant WHERE charge = ? AND transaction_id = ? AND customer = ?"
            let grantee: StatementArguments = [charge, payload.transactionId.rawValue, customer.rawValue]
            return CreditGrant(
                credits: try Int.fetchOne(db, sql: granted, arguments: grantee) ?? 0,
                balance: try Self.balance(of: customer, in: db),
                alreadyRecorded: isRepeat
            )
        }
    }

    func apply(_ notification: VerifiedNotification) async throws -> NotificationOutcome {
        let payload = notification.notification.payload
        let kind = [payload.notificationType, payload.subtype].compactMap { $0 }.joined(separator: " ")
        let outcome: NotificationOutcome = notification.transaction == nil ? .stored : .applied
        return try await writer.write { db in
            try db.execute(
                sql: """
                    INSERT INTO notification (uuid, signed_at, kind, outcome, signed_notification) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """,
                arguments: [
                    payload.notificationUUID, payload.signedDate.milliseconds, kind, outcome.rawValue,
                    notification.notification.original.compact,
                ]
            )
            guard db.changesCount > 0 else { return .known }
            if let transaction = notification.transaction {
                try Self.absorb(transaction, notification.renewalInfo, source: kind, in: db)
            }
            return outcome
        }
    }

    func record(_ receipt: VerifiedReceipt, showing purchase: ReceiptPurchase) async throws {
        try await writer.write { db in
            try db.execute(
                sql: """
                    INSERT INTO purchase (transaction_id, original_transaction_id, product_id, quantity, purchased_at, receipt)
                    VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (transaction_id) DO UPDATE SET receipt = excluded.receipt WHERE receipt IS NULL
                    """,
                arguments: [
                    purchase.transactionID.rawValue, purchase.originalTransactionID.rawValue, purchase.productID.rawValue,
                    purchase.quantity, purchase.purchaseDate.milliseconds, Data(receipt.original),
                ]
            )
        }
    }
}
