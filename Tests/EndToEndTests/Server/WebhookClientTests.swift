import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Webhooks of a running server, as a foreign receiver verifies them.
@Suite struct WebhookClientTests {
    @Test func `the verifier of Standard Webhooks accepts the messages of the server`() async throws {
        try await TemporaryFolder.with { folder in
            let options = try RunningServer.options(["webhook-addresses": "any"], in: folder)
            let server = try await RunningServer.start(options, in: folder)
            var description = [
                "server": "http://127.0.0.1:\(server.port)", "secretKey": server.key,
                "adminKey": try await RunningServer.key("admin", RunningServer.arguments(in: folder) + options),
            ]
            for number in 1...3 {
                let payload = TransactionPayload.sample(
                    id: TransactionID("200000000000000\(number)"), product: "com.example.monkeyshop.credits5", type: .consumable)
                let signed: SignedTransaction = try TestAuthority.shared.signedData.sign(payload)
                description["transaction\(number)"] = signed.compact
            }
            let checks = try await PythonCheck.run("webhooks.py", describing: description)
            #expect(checks.count == 3)
            for check in checks { #expect(check.ok, "\(check.check): \(check.detail ?? "")") }
            #expect(await server.process.terminate() == 0)
        }
    }
}
