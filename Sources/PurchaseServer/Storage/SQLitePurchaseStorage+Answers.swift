import GRDB
import PurchaseModel
import PurchaseProtocol

extension SQLitePurchaseStorage {
    func entitlement(of purchase: TransactionID) async throws -> Entitlement? {
        try await writer.read { db in
            let sql = "SELECT statement FROM entitlement WHERE original_transaction_id = ?"
            return try String.fetchOne(db, sql: sql, arguments: [purchase.rawValue]).map { try Self.value(Entitlement.self, $0) }
        }
    }

    func entitlements(of customer: CustomerID, to product: ProductID) async throws -> [Entitlement] {
        try await writer.read { db in
            let sql = "SELECT statement FROM entitlement WHERE customer = ? AND product_id = ?"
            return try String.fetchAll(db, sql: sql, arguments: [customer.rawValue, product.rawValue])
                .map { try Self.value(Entitlement.self, $0) }
        }
    }

    func transactions(limit: Int, at now: Timestamp) async throws -> [BackofficeTransaction] {
        try await writer.read { db in
            let sql = """
                SELECT purchase.*, entitlement.statement FROM purchase LEFT JOIN entitlement USING (original_transaction_id)
                ORDER BY purchased_at DESC, transaction_id DESC LIMIT ?
                """
            return try Row.fetchAll(db, sql: sql, arguments: [max(0, limit)]).map { row in
                let statement: String? = row["statement"]
                let access = try statement.map { try Self.value(Entitlement.self, $0).access(at: now) }
                return BackofficeTransaction(
                    date: Timestamp(milliseconds: row["purchased_at"]),
                    id: TransactionID(row["transaction_id"] as String),
                    productID: ProductID(row["product_id"] as String),
                    quantity: row["quantity"],
                    owner: row["customer"] ?? "",
                    state: access?.state.rawValue ?? "receipt"
                )
            }
        }
    }

    func notifications(limit: Int) async throws -> [BackofficeNotification] {
        try await writer.read { db in
            let sql = "SELECT uuid, signed_at, kind, outcome FROM notification ORDER BY signed_at DESC, uuid DESC LIMIT ?"
            return try Row.fetchAll(db, sql: sql, arguments: [max(0, limit)]).map { row in
                BackofficeNotification(
                    date: Timestamp(milliseconds: row["signed_at"]), uuid: row["uuid"], kind: row["kind"], state: row["outcome"]
                )
            }
        }
    }
}
