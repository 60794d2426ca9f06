import Foundation
import GRDB
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of every input that accepts a URL, with a port above 65535.
///
/// HTTP clients trap on such a port.
@Suite struct PortTests {
    private static let url = "http://127.0.0.1:65536/notifications"

    @Test(arguments: [
        ["store", "up", "--port", "0", "--notify", url], ["listen", "--forward-to", url], ["store", "products", "--store", url],
        ["store", "app", "--notify", url, "--store", url],
    ])
    func `an option with an invalid port is a usage error that names the port`(_ arguments: [String]) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(arguments)
            #expect(outcome.code == 64 && outcome.error.contains("65536"), "\(outcome.code) \(outcome.error)")
        }
    }

    @Test func `a running store refuses a notification URL with an invalid port and keeps running`() async throws {
        try await RunningStore.with { store in
            let outcome = try await store.run("store", "app", "--notify", Self.url)
            #expect(outcome.code == 1 && outcome.error.contains("http"), "\(outcome.error)")
            _ = try await store.json("store", "buy", RunningStore.seeds.rawValue, "--account", "jane")
        }
    }

    @Test(arguments: ["--verify-receipt-production-url", "--verify-receipt-sandbox-url"])
    func `a server with an invalid port in a verifyReceipt URL does not start and names the key`(_ option: String) async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(in: folder)
            let (code, lines) = try await RunningServer.run(RunningServer.arguments(in: folder) + [option, Self.url])
            #expect(code == 78)
            #expect(lines.count == 1 && lines[0].hasPrefix("tillroll-server: verify-receipt."), "\(lines)")
        }
    }

    @Test(arguments: ["sandboxURL", "productionURL"])
    func `a store file with an invalid port in a URL is refused`(_ column: String) async throws {
        try await RunningStore.with { store in
            let file = store.command.folder.file("shop.sqlite")
            #expect(try await store.run("store", "export", file.path).code == 0)
            let database = try DatabaseQueue(path: file.path)
            try await database.write { try $0.execute(sql: "UPDATE apps SET \(column) = ?", arguments: [Self.url]) }
            try database.close()
            let outcome = try await store.run("store", "import", file.path)
            #expect(outcome.code == 1 && outcome.error.contains("apps"), "\(outcome.code) \(outcome.error)")
            _ = try await store.json("store", "buy", RunningStore.seeds.rawValue, "--account", "jane")
        }
    }

    @Test func `a store whose saved URL has an invalid port starts and sells products`() async throws {
        try await CommandFolder.with { command in
            let folder = command.folder.file("shop")
            let first = try await RunningStore.start(["--folder", folder.path, "--notify", "http://127.0.0.1:9/"], in: command)
            #expect(await first.process.terminate() == 0)
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".sqlite") })
            let database = try DatabaseQueue(path: folder.appending(path: name).path)
            try await database.write { try $0.execute(sql: "UPDATE apps SET sandboxURL = ?", arguments: [Self.url]) }
            try database.close()
            let second = try await RunningStore.start(["--folder", folder.path], in: command)
            _ = try await second.json("store", "buy", RunningStore.seeds.rawValue, "--account", "jane")
            _ = try await second.json("store", "advance", "30d")
            #expect(await second.process.terminate() == 0)
        }
    }
}
