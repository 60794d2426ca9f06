import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireClient

/// Tests of `tillroll-server` as a process that trusts the root of a test store in the sandbox.
@Suite struct ServerProcessTests {
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    @Test func `an answered credit survives a SIGKILL and is not added twice`() async throws {
        try await TemporaryFolder.with { folder in
            var payload = TransactionPayload.sample(product: "com.example.monkeyshop.credits5", quantity: 4)
            payload.type = ProductType.consumable.rawValue
            payload.appAccountToken = Self.customer
            let transaction: SignedTransaction = try TestAuthority.shared.signedData.sign(payload)

            let first = try await RunningServer.start(in: folder)
            #expect(try await first.backend.submit(transaction).credits == 20)
            await first.process.kill()

            let second = try await RunningServer.start(in: folder)
            let replay = try await second.backend.submit(transaction)
            #expect(replay.isKnown && replay.credits == 20)
            #expect(try await second.backend.balance(of: Self.customer) == 20)
            #expect(await second.process.terminate() == 0)
        }
    }

    @Test(arguments: [
        ([], "environment"),
        (["--environment", "production", "--bundle-id", "a.b", "--products-file", "/nowhere", "--content-folder", "/"], "products-file"),
        (["--environment", "moon"], "environment"),
    ])
    func `a wrong configuration exits with 78 and names the key`(_ arguments: [String], _ key: String) async throws {
        let (code, lines) = try await RunningServer.run(arguments)
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
            let (code, lines) = try await RunningServer.run(arguments)
            #expect(code == 78)
            #expect(lines.count == 1 && lines[0].hasPrefix("tillroll-server: extra-roots-file: "), "\(lines)")
        }
    }
}
