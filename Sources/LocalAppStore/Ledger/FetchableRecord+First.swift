import GRDB

extension FetchableRecord where Self: TableRecord {
    /// The first row with a value in a column.
    ///
    /// The statement is compiled once per connection. GRDB's `fetchOne(_:key:)` compiles a statement for each call, which takes longer
    /// than its execution.
    static func first(_ column: String, _ value: some DatabaseValueConvertible, _ db: Database) throws -> Self? {
        let sql = "SELECT * FROM \(databaseTableName) WHERE \(column) = ? LIMIT 1"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [value])
    }
}
