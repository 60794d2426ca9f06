import LibPQ

/// Holds a connection where only copyable values fit: in a suite's stored properties and in closures.
final class PostgresConnectionBox {
    let value: PostgresConnection

    init(_ connectionString: String) throws {
        value = try PostgresConnection(connectionString)
    }

    /// Returns the first row of a query, and throws if the query returns no rows.
    func row(_ sql: String, _ parameters: [PostgresValue] = []) throws -> PostgresRow {
        let result = try value.query(sql, parameters)
        guard let row = result.first else {
            throw PostgresError.unreadable(column: sql)
        }
        return row
    }
}
