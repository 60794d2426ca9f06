import GRDB
import Testing

@testable import LocalAppStore

@Suite struct InsertStatementTests {
    @Test func `a prepared insertion has the same columns and values as the record's encoding`() throws {
        try compare(PaymentRecord.self)
        try compare(TransactionRecord.self)
        try compare(ChargeRecord.self)
        try compare(NotificationRecord.self)
        try compare(EventRecord.self)
    }

    /// Compares the values of a prepared insertion with GRDB's encoding, for a record with a different value in each column.
    private func compare<Record: PreparedInsertion & FetchableRecord>(_ type: Record.Type) throws {
        let columns = try StoreDatabase(.memory).writer.read { db in try db.columns(in: Record.databaseTableName) }
        let texts = [
            "kind": "purchase", "type": "Consumable", "environment": "Sandbox", "state": "deferred", "billingPlan": "MONTHLY",
            "commitment": #"{"billingPeriodNumber":3,"commitmentPrice":60000}"#,
            "bundle": #"{"groupID":"9","originalTransactionID":"900","productID":"all","transactionID":"901"}"#,
            "multiSeatInfo": #"{"invitationManagement":"APPLE","priceTiers":[{"price":12000,"quantity":3}]}"#,
        ]
        let values = columns.enumerated().map { number, column -> (String, DatabaseValue) in
            (column.name, column.type == "TEXT" ? (texts[column.name] ?? column.name).databaseValue : number.databaseValue)
        }
        let record = try Record(row: Row(Dictionary(uniqueKeysWithValues: values)))
        var encoded = try record.databaseDictionary
        #expect(Set(encoded.keys) == Set(columns.map(\.name)))
        // SQLite assigns the numbers of rows.
        if columns.first?.type == "INTEGER" { encoded["id"] = nil }
        #expect(Record.insertion.values(of: record) == encoded)
    }
}
