import GRDB
import PurchaseModel

extension StoreLedger {
    /// The transaction with an identifier in a scope.
    ///
    /// A transaction of another app or of the other environment is unknown, like an identifier without a transaction.
    ///
    /// - Parameter appTransaction: The error for an identifier of an app transaction; nil for `unknown`.
    func transaction(
        _ id: String, in scope: APIScope, invalid: ServerAPIError = .invalidTransactionId, unknown: ServerAPIError = .transactionIdNotFound,
        appTransaction: ServerAPIError? = .appTransactionIdNotSupported, _ db: Database
    ) throws -> TransactionRecord {
        guard Self.isIdentifier(id) else { throw invalid }
        if let row = try TransactionRecord.find(TransactionID(id), db) {
            guard row.bundleID == scope.bundleID, row.environment == scope.environment else { throw unknown }
            return row
        }
        if let appTransaction, try download(id, in: scope, db) != nil { throw appTransaction }
        throw unknown
    }

    /// The original transaction of a purchase, by its own identifier.
    func originalTransaction(_ id: String, in scope: APIScope, _ db: Database) throws -> TransactionRecord {
        let row = try transaction(
            id, in: scope, invalid: .invalidOriginalTransactionId, unknown: .originalTransactionIdNotFound, appTransaction: nil, db
        )
        guard row.id == row.originalID else { throw ServerAPIError.originalTransactionIdNotFound }
        return row
    }

    /// The account of an identifier: the identifier of any of the account's transactions in a scope, or of its app transaction.
    func accountID(_ id: String, in scope: APIScope, _ db: Database) throws -> AccountID {
        guard Self.isIdentifier(id) else { throw ServerAPIError.invalidTransactionId }
        if let row = try download(id, in: scope, db) { return row.account }
        return try transaction(id, in: scope, db).account
    }

    private func download(_ id: String, in scope: APIScope, _ db: Database) throws -> AppDownloadRecord? {
        guard let row = try AppDownloadRecord.fetchOne(db, key: id), row.bundleID == scope.bundleID,
            try AccountRecord.require(row.account, db).environment == scope.environment
        else { return nil }
        return row
    }

    /// Whether a text has the form of a transaction identifier.
    private static func isIdentifier(_ text: String) -> Bool {
        (1...24).contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
