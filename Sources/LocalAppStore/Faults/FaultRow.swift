import GRDB
import PurchaseModel

/// One fault that is switched on.
struct FaultRow: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "faults"

    var id: Int64?
    /// Stored as JSON.
    var fault: Fault
}
