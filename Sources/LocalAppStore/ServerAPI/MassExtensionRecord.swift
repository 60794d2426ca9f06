import GRDB
import PurchaseModel

/// A developer's request to extend the renewal date for all subscribers of a product, with its progress, as a row of the database.
struct MassExtensionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "massExtensions"

    var bundleID: BundleID
    var environment: AppEnvironment
    /// The UUID with which the developer identifies the request.
    var requestIdentifier: String
    var productID: ProductID
    /// The alpha-3 country codes of the storefronts whose subscribers get the extension; nil for all storefronts.
    var storefronts: [String]?
    var days: Int
    /// The database row number of the last subscription that was processed; 0 before the first one.
    var lastProcessedRow: Int64
    /// The date on which the last subscription was processed; nil while the request is incomplete.
    var completeDate: Timestamp?
    var succeeded: Int64
    var failed: Int64

    /// Returns whether any mass renewal date extension is incomplete.
    static func isOpen(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM massExtensions WHERE completeDate IS NULL)")) ?? false
    }

    /// Returns the mass renewal date extension with a request identifier; nil if the app has no such request in the environment.
    static func find(_ requestIdentifier: String, in scope: APIScope, _ db: Database) throws -> MassExtensionRecord? {
        let sql = "SELECT * FROM massExtensions WHERE bundleID = ? AND environment = ? AND requestIdentifier = ?"
        let arguments: StatementArguments = [scope.bundleID.rawValue, scope.environment.rawValue, requestIdentifier]
        return try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
