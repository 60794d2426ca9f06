import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireClient

/// Tests with random requests that Schemathesis derives from `docs/openapi/server.yaml`.
///
/// `make soak` derives up to as many requests for each endpoint as it has rounds. `TILLROLL_SEED` is the seed of the requests.
@Suite struct RandomRequestTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    @Test func `random requests never cause an error of the server, and its memory stays bounded`() async throws {
        try await RunningServer.with(["--confirm-receipts", "off"]) { server async throws in
            let admin = try await RunningServer.key("admin", RunningServer.arguments(in: server.folder))
            let before = try server.process.memory
            let environment = ProcessInfo.processInfo.environment
            let (examples, seed) = (environment["TILLROLL_SOAK"] ?? "10", environment["TILLROLL_SEED"] ?? "1")
            print("random requests: TILLROLL_SEED=\(seed)")
            let document = Self.root.appending(path: "docs/openapi/server.yaml").path
            // Schemathesis keeps a cache in its working directory.
            let process = try LineProcess(
                "/bin/sh",
                [
                    "-c", "cd \"$0\" && exec \"$@\"", server.folder.url.path, Self.root.appending(path: "scripts/peers").path,
                    Self.root.appending(path: "Tests/Clients/random_requests.py").path, "run", document, "--url", server.wire.baseURL.base,
                    "-H", "Authorization: Bearer \(admin)", "-H", "Tillroll-Customer: \(Self.customer)", "--checks", "not_a_server_error",
                    "--max-examples", examples, "--seed", seed, "--no-color", "--generation-database", "none",
                ])
            let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
            #expect(await process.end() == 0, "\(lines.joined(separator: "\n"))")
            let count = lines.compactMap { $0.firstMatch(of: /(\d+) generated, (\d+) passed/) }.first
            #expect(count.flatMap { Int($0.1) } ?? 0 >= 500 && count?.1 == count?.2, "\(lines.suffix(12))")
            let growth = try server.process.memory - before
            #expect(growth < 64 << 20, "\(growth >> 20) MB")
            #expect(try await server.backend.call(ServerEndpoints.products, Empty()).products.count == 1)
        }
    }
}
