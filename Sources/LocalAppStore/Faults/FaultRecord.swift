import GRDB
import StoreProtocol

/// An enabled fault (simulated failure), as a row of the database.
struct FaultRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "faults"

    var id: Int64?
    /// The fault, which the table stores as a ``FaultStateRecord`` in JSON.
    var fault: Fault
}

extension FaultRecord {
    private enum CodingKeys: String, CodingKey {
        case id, fault
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decodeIfPresent(Int64.self, forKey: .id)
        fault = try container.decode(FaultStateRecord.self, forKey: .fault).value()
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(FaultStateRecord(fault), forKey: .fault)
    }
}
