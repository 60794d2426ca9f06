import GRDB
import PurchaseModel
import PurchaseProtocol

/// An enabled fault.
struct FaultRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "faults"

    var id: Int64?
    /// The fault, stored as JSON.
    var fault: Fault
}
