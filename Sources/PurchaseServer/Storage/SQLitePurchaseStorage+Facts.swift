import Crypto
import Foundation
import GRDB
import PurchaseModel
import PurchaseProof

extension SQLitePurchaseStorage {
    /// Stores a signed event, and updates the entitlement and the credits of its purchase.
    ///
    /// An event is a signed transaction with its signed renewal info, stored as JWS and as decoded payloads. The entitlement is projected
    /// from the payloads. The JWS are kept so that all data can be verified and rebuilt.
    ///
    /// A duplicate event changes nothing. The order in which events arrive does not matter.
    static func absorb(
        _ transaction: VerifiedTransaction, _ renewal: VerifiedRenewalInfo?, source: String, in db: Database
    ) throws {
        let payload = transaction.payload
        let fact = SignedEvent(transaction: payload, renewal: renewal?.payload, source: source)
        try db.execute(
            sql: """
                INSERT INTO fact
                    (digest, original_transaction_id, transaction_id, charge, source, signed_transaction, signed_renewal, statement)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            arguments: [
                digest(transaction.original.compact, renewal?.original.compact ?? "", source),
                payload.originalTransactionId.rawValue, payload.transactionId.rawValue, CreditRule.charge(of: payload), source,
                transaction.original.compact, renewal?.original.compact, try json(fact),
            ]
        )
        guard db.changesCount > 0 else { return }
        try remember(payload, in: db)
        try fold(try facts(where: "original_transaction_id", payload.originalTransactionId.rawValue, in: db), in: db)
        if let charge = CreditRule.charge(of: payload) {
            try takeBack(charge, in: db)
        }
    }

    private static func facts(where column: String, _ value: String, in db: Database) throws -> [SignedEvent] {
        let sql = "SELECT statement FROM fact WHERE \(column) = ?"
        return try String.fetchAll(db, sql: sql, arguments: [value]).map { try Self.value(SignedEvent.self, $0) }
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

    private static func fold(_ facts: [SignedEvent], in db: Database) throws {
        guard let entitlement = EntitlementProjection.project(facts) else { return }
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

    /// Updates the revoked credits of a charge according to all its signed events: a refund debits credits from the balance, and a
    /// reversed refund adds them again.
    private static func takeBack(_ charge: String, in db: Database) throws {
        let sql = "SELECT customer, credits, reclaimed FROM credit_grant WHERE charge = ?"
        guard let grant = try Row.fetchOne(db, sql: sql, arguments: [charge]) else { return }
        let share = CreditRule.revokedPercentage(by: try facts(where: "charge", charge, in: db).map(\.transaction))
        let taken = CreditRule.credits(share, of: grant["credits"])
        let before: Int = grant["reclaimed"]
        guard taken != before else { return }
        try db.execute(sql: "UPDATE credit_grant SET reclaimed = ? WHERE charge = ?", arguments: [taken, charge])
        try add(before - taken, to: CustomerID(grant["customer"] as String), in: db)
    }

    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try WireJSON.decode(type, from: Data(json.utf8))
    }

    private static func digest(_ parts: String...) -> Data {
        // JWS and sources contain no line breaks, so different parts never give the same joined text.
        Data(SHA256.hash(data: Data(parts.joined(separator: "\n").utf8)))
    }
}
