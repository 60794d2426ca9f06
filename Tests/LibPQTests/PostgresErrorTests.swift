import Foundation
import LibPQ
import Testing

@Suite struct PostgresErrorTests {
    @Test(arguments: [("40001", true), ("40P01", true), ("23505", false), ("57014", false)])
    func `serialization failures and deadlocks differ from other errors`(_ sqlState: String, _ isSerializationFailure: Bool) {
        #expect(PostgresError.rejected(sqlState: sqlState, message: "").isSerializationFailure == isSerializationFailure)
    }

    @Test func `a missing server is unreachable`() throws {
        let nowhere = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let error = #expect(throws: PostgresError.self) {
            try PostgresConnectionBox("host='\(nowhere.path)' user=monkey password=hunter2")
        }
        guard case .unreachable(let message) = error else {
            Issue.record("expected .unreachable, not \(String(reflecting: error))")
            return
        }
        #expect(!message.isEmpty)
        #expect(!message.contains("hunter2"))
    }

    @Test func `a pool without a server throws an unreachable error and stays usable`() async throws {
        let nowhere = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let pool = PostgresPool("host='\(nowhere.path)'", limit: 1)
        for _ in 1...2 {
            let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
            guard case .unreachable = error else {
                Issue.record("expected .unreachable, not \(String(reflecting: error))")
                return
            }
        }
    }

    @Test(arguments: [
        "password=hunter2 host", "postgres://monkey:hunter2@[::1/shop", "hunter2", "host=a\0password=hunter2",
    ])
    func `the error for a malformed connection string does not quote it`(_ connectionString: String) {
        let error = #expect(throws: PostgresError.self) { try PostgresConnectionBox(connectionString) }
        #expect(error == .malformedConnectionString)
        #expect(!String(reflecting: error).contains("hunter2"))
    }

    @Test func `an error description contains no server, account or value`() {
        let secret = "server monkey.example, password hunter2"
        #expect(!"\(PostgresError.unreachable(message: secret))".contains("monkey"))
        #expect(!"\(PostgresError.rejected(sqlState: "22P02", message: secret))".contains("monkey"))
        #expect("\(PostgresError.rejected(sqlState: "22P02", message: secret))".contains("22P02"))
    }
}
