import GRDB
import PurchaseModel

/// A developer's request to extend the renewal date for all subscribers of a product.
struct MassExtensionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "massExtensions"

    var bundleID: BundleID
    var environment: AppEnvironment
    /// The developer's request identifier.
    var requestIdentifier: String
    var productID: ProductID
    /// The storefronts' country codes, as JSON; nil for all storefronts.
    var storefronts: [String]?
    var days: Int
    /// The row number of the last subscription that was processed.
    var lastProcessedRow: Int64
    /// The completion date; nil until the request is complete.
    var completeDate: Timestamp?
    var succeeded: Int64
    var failed: Int64

    /// Whether a request is incomplete.
    static func isOpen(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM massExtensions WHERE completeDate IS NULL)")) ?? false
    }

    /// The request with an identifier; nil if there is none.
    static func find(_ requestIdentifier: String, in scope: APIScope, _ db: Database) throws -> MassExtensionRecord? {
        let sql = "SELECT * FROM massExtensions WHERE bundleID = ? AND environment = ? AND requestIdentifier = ?"
        let arguments: StatementArguments = [scope.bundleID.rawValue, scope.environment.rawValue, requestIdentifier]
        return try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
