import GRDB
import PurchaseModel
import PurchaseProtocol

/// One fault that is switched on.
struct FaultRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "faults"

    var id: Int64?
    /// Stored as JSON.
    var fault: Fault
}
