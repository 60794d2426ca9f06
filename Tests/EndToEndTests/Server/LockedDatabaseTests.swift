import Foundation
import GRDB
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

/// Tests of `tillroll-server` while another process holds the lock of its database.
@Suite struct LockedDatabaseTests {
    private static let customer = CustomerID(UUID())

    /// Sends a request over a connection of its own, and returns the head of the response.
    private static func send(_ method: String, _ path: String, _ body: String = "", to server: RunningServer) async throws -> String {
        let request = """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(server.key)\r
            Tillroll-Customer: \(customer.rawValue)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \r
            \(body)
            """
        return try await RawClient.send(request, to: server.port)
    }

    private static func grant(_ key: String, to server: RunningServer) async throws -> String {
        try await send("POST", ServerEndpoints.creditGrant.path(), #"{"idempotencyKey":"\#(key)","amount":1}"#, to: server)
    }

    @Test func `writers get 503 with Retry-After together after one time-out, and readers get their data`() async throws {
        try await RunningServer.with { server in
            #expect(try await Self.grant("first", to: server).hasPrefix("HTTP/1.1 200"))
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: server.database.path, configuration: configuration)
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let clock = ContinuousClock()
            let start = clock.now
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<10 { group.addTask { try await Self.grant("\(number)", to: server) } }
                // The lock is held until all responses have arrived.
                for _ in 0..<20 {
                    #expect(try await Self.send("GET", ServerEndpoints.balances.path(), to: server).hasPrefix("HTTP/1.1 200"))
                }
                for try await response in group {
                    #expect(response.hasPrefix("HTTP/1.1 503"))
                    #expect(response.lowercased().contains("retry-after: 1\r\n"), "\(response)")
                    #expect(response.contains("storage.unavailable"))
                }
            }
            // The time-out is 5 seconds, so one writer after another would take 50 seconds.
            #expect(clock.now - start < .seconds(30))
            #expect(try await server.backend.balance(of: Self.customer) == 1)
            try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            // The same requests succeed afterward.
            for number in 0..<10 { #expect(try await Self.grant("\(number)", to: server).hasPrefix("HTTP/1.1 200")) }
            #expect(try await server.backend.balance(of: Self.customer) == 11)
        }
    }
}
