import Foundation
import GRDB
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of databases that servers of earlier releases wrote (`Tests/Databases`).
@Suite struct EarlierDatabaseTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../Databases").standardizedFileURL

    /// A release by its last migration, and what a rebuild compares in its database.
    private static let releases: [(name: String, compared: String)] = [
        ("12", "notifications 19, purchases 9, customer-purchases 9, ledgers 3")
    ]

    @Test(arguments: releases) func `a rebuild of an earlier release's database finds no difference`(
        _ name: String, _ compared: String
    ) async throws {
        try await TemporaryFolder.with { folder in
            let release = Self.folder.appending(path: name)
            let database = folder.file("server.sqlite")
            let queue = try DatabaseQueue(path: database.path)
            try await queue.writeWithoutTransaction {
                try $0.execute(sql: String(contentsOf: release.appending(path: "database.sql"), encoding: .utf8))
            }
            try queue.close()
            let arguments = [
                "--environment", "sandbox", "--bundle-id", "com.example.app", "--content-folder", folder.url.path, "--database",
                database.path, "--products-file", release.appending(path: "products.json").path, "--extra-roots-file",
                release.appending(path: "root.pem").path,
            ]
            let (code, lines) = try await RunningServer.run(["rebuild", "--verify"] + arguments)
            #expect(code == 0 && lines.last?.hasSuffix("differences: 0; compared: \(compared)") == true, "\(lines)")
        }
    }
}
