import Crypto
import Foundation
import GRDB
import PurchaseModel
import PurchaseProof

extension SQLitePurchaseStorage {
    /// Appends a fact, writes what the facts of its purchase add up to now, and lets credits follow.
    ///
    /// Each fact keeps the compact JWS of what was signed, and beside them the record that was read from them when they were
    /// verified. Entitlements are folded from the records; the originals are kept so that everything can be verified again and
    /// rebuilt from them.
    ///
    /// A fact that is there already changes nothing. The result depends on the set of facts and not on their order.
    static func absorb(
        _ transaction: VerifiedTransaction, _ renewal: VerifiedRenewalInfo?, source: String, in db: Database
    ) throws {
        let payload = transaction.payload
        let fact = PurchaseFact(transaction: payload, renewal: renewal?.payload, source: source)
        try db.execute(
            sql: """
                INSERT INTO fact (digest, original_transaction_id, transaction_id, signed_transaction, signed_renewal, statement)
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            arguments: [
                digest(transaction.original.compact, renewal?.original.compact ?? "", source),
                payload.originalTransactionId.rawValue, payload.transactionId.rawValue,
                transaction.original.compact, renewal?.original.compact, try json(fact),
            ]
        )
        guard db.changesCount > 0 else { return }
        try remember(payload, in: db)
        let facts = try facts(of: payload.originalTransactionId, in: db)
        try fold(facts, in: db)
        try settle(payload.transactionId, by: facts, in: db)
    }

    private static func facts(of purchase: TransactionID, in db: Database) throws -> [PurchaseFact] {
        let sql = "SELECT statement FROM fact WHERE original_transaction_id = ?"
        return try String.fetchAll(db, sql: sql, arguments: [purchase.rawValue]).map { try value(PurchaseFact.self, $0) }
    }

    private static func remember(_ payload: TransactionPayload, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO purchase (transaction_id, original_transaction_id, product_id, customer, quantity, purchased_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (transaction_id) DO UPDATE SET customer = coalesce(excluded.customer, customer)
                """,
            arguments: [
                payload.transactionId.rawValue, payload.originalTransactionId.rawValue, payload.productId.rawValue,
                payload.appAccountToken?.rawValue, payload.quantity, payload.purchaseDate.milliseconds,
            ]
        )
    }

    private static func fold(_ facts: [PurchaseFact], in db: Database) throws {
        guard let entitlement = Entitlements.folding(facts) else { return }
        let customer = facts.filter { $0.transaction.appAccountToken != nil }.max { $0.signedDate < $1.signedDate }
        try db.execute(
            sql: """
                INSERT INTO entitlement (original_transaction_id, product_id, customer, statement) VALUES (?, ?, ?, ?)
                ON CONFLICT (original_transaction_id)
                DO UPDATE SET product_id = excluded.product_id, customer = excluded.customer, statement = excluded.statement
                """,
            arguments: [
                entitlement.originalTransactionID.rawValue, entitlement.productID.rawValue,
                customer?.transaction.appAccountToken?.rawValue, try json(entitlement),
            ]
        )
    }

    /// Makes the credits of a transaction agree with its newest fact: a refund takes them back down to a balance of 0, and
    /// when a refund is reversed, what it took is given back.
    private static func settle(_ transaction: TransactionID, by facts: [PurchaseFact], in db: Database) throws {
        let newest = facts.filter { $0.transaction.transactionId == transaction }.max {
            ($0.signedDate, $0.transaction.isRevoked ? 1 : 0) < ($1.signedDate, $1.transaction.isRevoked ? 1 : 0)
        }
        let sql = "SELECT customer, credits, reclaimed FROM credit_grant WHERE transaction_id = ?"
        guard let newest, let grant = try Row.fetchOne(db, sql: sql, arguments: [transaction.rawValue]) else { return }
        let customer = CustomerID(grant["customer"] as String)
        let credits: Int = grant["credits"]
        let reclaimed: Int? = grant["reclaimed"]
        switch (newest.transaction.isRevoked, reclaimed) {
        case (true, nil):
            let taken = min(credits, try balance(of: customer, in: db))
            try setReclaimed(taken, of: transaction, in: db)
            try add(-taken, to: customer, in: db)
        case (false, let taken?):
            try setReclaimed(nil, of: transaction, in: db)
            try add(taken, to: customer, in: db)
        case (true, .some), (false, nil):
            break
        }
    }

    private static func setReclaimed(_ credits: Int?, of transaction: TransactionID, in db: Database) throws {
        let sql = "UPDATE credit_grant SET reclaimed = ? WHERE transaction_id = ?"
        try db.execute(sql: sql, arguments: [credits, transaction.rawValue])
    }

    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try WireJSON.decode(type, from: Data(json.utf8))
    }

    private static func digest(_ parts: String...) -> Data {
        // Compact JWS and sources hold no line breaks, so the parts can't run into each other.
        Data(SHA256.hash(data: Data(parts.joined(separator: "\n").utf8)))
    }
}
