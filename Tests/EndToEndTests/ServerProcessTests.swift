import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing
import TillrollTour
import WireClient

/// The production entry point as a process of its own, against data of a store that it was told to trust in the sandbox.
@Suite struct ServerProcessTests {
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    /// Starts `tillroll-server` with what it logs on standard output.
    private static func start(_ arguments: [String]) throws -> LineProcess {
        try LineProcess("/bin/sh", ["-c", "exec \"$0\" \"$@\" 2>&1", BuiltProducts.path("tillroll-server")] + arguments)
    }

    /// Runs `tillroll-server` to its end.
    private static func run(_ arguments: [String]) async throws -> (code: Int32, lines: [String]) {
        let process = try start(arguments)
        let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
        return (await process.end(), lines)
    }

    /// Starts `tillroll-server` for the test authority's data, and waits until it says where it listens.
    private static func serve(_ folder: TemporaryFolder) async throws -> (LineProcess, WireClient) {
        let arguments = [
            "--environment", "sandbox", "--bundle-id", BundleID.test.rawValue, "--port", "0",
            "--products-file", folder.file("products.json").path, "--content-folder", folder.url.path,
            "--database", folder.file("server.sqlite").path, "--extra-roots-file", folder.file("roots.pem").path,
        ]
        try Data(#"[{"id":"com.example.monkeyshop.credits5","credits":5}]"#.utf8).write(to: folder.file("products.json"))
        try Data(TestAuthority.shared.authority.rootsPEM.utf8).write(to: folder.file("roots.pem"))
        let process = try start(arguments)
        let line = try #require(await process.lines.first { $0.contains("[tillroll_server] listening") })
        let port = try #require(line.split(separator: " ").first { $0.hasPrefix("port=") }?.dropFirst(5))
        return (process, WireClient(baseURL: "http://127.0.0.1:\(port)"))
    }

    @Test func `a credit that was answered before a SIGKILL is there after it, and is not given twice`() async throws {
        try await TemporaryFolder.with { folder in
            var payload = TransactionPayload.sample(product: "com.example.monkeyshop.credits5", quantity: 4)
            payload.type = ProductType.consumable.rawValue
            payload.appAccountToken = Self.customer
            let request = RecordTransactionRequest(signedTransaction: try TestAuthority.shared.signedData.sign(payload))

            let (first, server) = try await Self.serve(folder)
            #expect(try await server.call(ServerEndpoints.transactions, request).balance == 20)
            await first.kill()

            let (second, again) = try await Self.serve(folder)
            let replay = try await again.call(ServerEndpoints.transactions, request)
            #expect(replay.alreadyRecorded && replay.credits == 20 && replay.balance == 20)
            #expect(await second.terminate() == 0)
        }
    }

    @Test(arguments: [
        ([], "environment"),
        (["--environment", "production", "--bundle-id", "a.b", "--products-file", "/nowhere", "--content-folder", "/"], "products-file"),
        (["--environment", "moon"], "environment"),
    ])
    func `a wrong configuration ends with 78 and names the key`(_ arguments: [String], _ key: String) async throws {
        let (code, lines) = try await Self.run(arguments)
        #expect(code == 78)
        #expect(lines.count == 1 && lines[0].hasPrefix("tillroll-server: \(key): "), "\(lines)")
    }

    @Test func `a production configuration refuses a local store's root`() async throws {
        try await TemporaryFolder.with { folder in
            try Data("[]".utf8).write(to: folder.file("products.json"))
            try Data(TestAuthority.shared.authority.rootsPEM.utf8).write(to: folder.file("roots.pem"))
            let arguments = [
                "--environment", "production", "--bundle-id", "a.b", "--products-file", folder.file("products.json").path,
                "--content-folder", folder.url.path, "--extra-roots-file", folder.file("roots.pem").path,
            ]
            let (code, lines) = try await Self.run(arguments)
            #expect(code == 78)
            #expect(lines.count == 1 && lines[0].hasPrefix("tillroll-server: extra-roots-file: "), "\(lines)")
        }
    }
}
