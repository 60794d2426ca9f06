import GRDB
import PurchaseModel

extension APIScope {
    /// Returns the transaction with an identifier in the app and the environment of the request.
    ///
    /// A transaction of another app or of the other environment is treated like a transaction that does not exist.
    ///
    /// - Parameters:
    ///   - invalid: The error for a text that is not a transaction identifier.
    ///   - unknown: The error for an identifier without a transaction.
    ///   - appTransaction: The error for an `appTransactionId`; nil to throw `unknown` for it.
    func transaction(
        _ id: String, invalid: ServerAPIError = .invalidTransactionId, unknown: ServerAPIError = .transactionIdNotFound,
        appTransaction: ServerAPIError? = .appTransactionIdNotSupported, _ db: Database
    ) throws -> TransactionRecord {
        guard Self.isIdentifier(id) else { throw invalid }
        if let row = try TransactionRecord.find(TransactionID(id), db) {
            guard row.bundleID == bundleID, row.environment == environment else { throw unknown }
            return row
        }
        if let appTransaction, try download(id, db) != nil { throw appTransaction }
        throw unknown
    }

    /// Returns the original transaction with an identifier; the identifier of another transaction of the purchase is refused.
    ///
    /// - Throws: ``ServerAPIError/invalidOriginalTransactionId`` or ``ServerAPIError/originalTransactionIdNotFound``.
    func originalTransaction(_ id: String, _ db: Database) throws -> TransactionRecord {
        let row = try transaction(
            id, invalid: .invalidOriginalTransactionId, unknown: .originalTransactionIdNotFound, appTransaction: nil, db
        )
        guard row.id == row.originalID else { throw ServerAPIError.originalTransactionIdNotFound }
        return row
    }

    /// Returns the account that a transaction identifier or an `appTransactionId` belongs to, in the app and the environment of the request.
    ///
    /// - Throws: ``ServerAPIError`` if the text is not an identifier, or no account has it.
    func accountID(_ id: String, _ db: Database) throws -> AccountID {
        guard Self.isIdentifier(id) else { throw ServerAPIError.invalidTransactionId }
        if let row = try download(id, db) { return row.account }
        return try transaction(id, db).account
    }

    /// Requires an `appTransactionId` of the app and the environment of the request.
    ///
    /// - Throws: ``ServerAPIError/appTransactionIdNotFound``.
    func requireDownload(_ id: String, _ db: Database) throws {
        guard try download(id, db) != nil else { throw ServerAPIError.appTransactionIdNotFound }
    }

    private func download(_ id: String, _ db: Database) throws -> AppDownloadRecord? {
        guard let row = try AppDownloadRecord.fetchOne(db, key: id), row.bundleID == bundleID,
            try AccountRecord.require(row.account, db).environment == environment
        else { return nil }
        return row
    }

    /// Returns whether a text has the form of a transaction identifier: 1 to 24 digits.
    private static func isIdentifier(_ text: String) -> Bool {
        (1...24).contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
