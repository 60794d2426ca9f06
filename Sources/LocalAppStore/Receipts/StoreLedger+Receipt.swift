import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// The latest receipt of an account for the device and app version of a sign-in.
    ///
    /// - Parameter expired: Makes one whose validity ended a day ago.
    func receipt(for session: SessionRow, expired: Bool) async throws -> Data {
        let rows = try await read { db in try receiptRows(of: session.account, db) }
        let now = clock.now
        return try signer.receipt(
            rows,
            device: session.device,
            appVersion: session.appVersion,
            at: now,
            expires: expired ? now.wholeSeconds.adding(days: -1) : nil
        )
    }

    /// What a receipt lists: consumables until they are finished, everything else for ever, restored transactions never.
    func receiptRows(of account: AccountID, _ db: Database) throws -> [TransactionRow] {
        let sql = "SELECT * FROM transactions WHERE account = ? AND kind <> 'restore' ORDER BY rowid"
        return try TransactionRow.fetchAll(db, sql: sql, arguments: [account.rawValue])
            .filter { $0.type != .consumable || $0.finishedAt == nil }
    }
}
