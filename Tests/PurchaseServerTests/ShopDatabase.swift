import Foundation
import LibPQ

@testable import PurchaseServer
@testable import PurchaseStorage

/// The databases of the shops whose tests need none in particular.
///
/// They are in memory, or in the PostgreSQL server whose URI the variable TILLROLL_TEST_POSTGRES states, such as
/// `postgresql://postgres@/postgres?host=/tmp/pg`. `make soak` runs the tests of the server with it.
enum ShopDatabase {
    private static let server = ProcessInfo.processInfo.environment["TILLROLL_TEST_POSTGRES"]
    /// A database with the server's tables, which PostgreSQL copies for each shop.
    private static let template = Task { try await makeTemplate() }

    /// Returns a database without records.
    static func make() async throws -> PurchaseDatabase {
        guard let server else { return .memory }
        let name = try create(template: try await template.value, on: server)
        return .postgres(PostgresDatabase(url: url(of: name, on: server), connections: 4))
    }

    private static func makeTemplate() async throws -> String {
        guard let server else { return "template0" }
        let name = try create(template: "template0", on: server)
        // The storage is released at the end of the scope, because PostgreSQL copies no database with connections.
        _ = try await PostgresPurchaseStorage(PostgresDatabase(url: url(of: name, on: server), connections: 1))
        return name
    }

    private static func create(template: String, on server: String) throws -> String {
        let name = "shop_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try PostgresConnection(server).query("CREATE DATABASE \(name) TEMPLATE \(template)")
        return name
    }

    private static func url(of database: String, on server: String) -> String {
        server.replacing("/postgres?", with: "/\(database)?")
    }
}
