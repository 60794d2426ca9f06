import GRDB
import PurchaseModel

/// A developer's request to put off the renewals of everybody who subscribes to a product.
struct MassExtensionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "massExtensions"

    var bundleID: BundleID
    var environment: AppEnvironment
    /// The developer's identifier.
    var request: String
    var productID: ProductID
    /// The countries, as JSON; nil for all of them.
    var storefronts: [String]?
    var days: Int
    /// The row number of the last subscription that was looked at.
    var reached: Int64
    /// When it was done; nil before.
    var completeDate: Timestamp?
    var succeeded: Int64
    var failed: Int64

    /// Whether a request is not done.
    static func isOpen(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM massExtensions WHERE completeDate IS NULL)")) ?? false
    }

    /// The request, if it was made.
    static func find(_ request: String, in scope: APIScope, _ db: Database) throws -> MassExtensionRecord? {
        let sql = "SELECT * FROM massExtensions WHERE bundleID = ? AND environment = ? AND request = ?"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [scope.bundleID.rawValue, scope.environment.rawValue, request])
    }
}
