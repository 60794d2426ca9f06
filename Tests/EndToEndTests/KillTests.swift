import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing
import TillrollTour
import WireClient

/// Tests that kill `tillroll up`, a store and a server in one process with their state in files.
@Suite struct KillTests {
    private static let account: AccountID = "jane@example.com"
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    private static func signIn(_ store: WireClient) async throws -> String {
        let request = SignInRequest(
            account: account,
            password: "ladder",
            device: "00112233-4455-6677-8899-aabbccddeeff",
            bundleID: "com.example.monkeyshop",
            appVersion: "1.0"
        )
        return try await store.call(DeviceEndpoints.signIn, request).token
    }

    private static func up(_ folder: String) async throws -> (LineProcess, UpAddresses) {
        let process = try LineProcess(
            BuiltProducts.path("tillroll"),
            ["up", "--folder", folder, "--store-port", "0", "--server-port", "0", "--json"],
            standardError: .nullDevice
        )
        let line = try #require(await process.lines.first { _ in true })
        return (process, try WireJSON.decode(UpAddresses.self, from: Data(line.utf8)))
    }

    private static func buy(_ payment: PaymentID, _ store: WireClient, _ token: String) async throws -> SignedTransaction {
        let request = PurchaseRequest(
            payment: payment,
            productID: "com.example.monkeyshop.credits5",
            quantity: 2,
            appAccountToken: customer
        )
        let reply = try await store.call(DeviceEndpoints.purchase, request, token: token)
        guard case .purchased(let transaction, _) = reply else { throw WireError(code: "test", message: "not purchased") }
        return transaction
    }

    @Test func `answered requests survive a SIGKILL, and nothing is charged or credited twice`() async throws {
        try await TemporaryFolder.with { folder in
            let payment = PaymentID(UUID())
            let (first, before) = try await Self.up(folder.url.path)
            let store = WireClient(baseURL: try #require(HTTPURL(before.store)))
            let token = try await Self.signIn(store)
            let transaction = try await Self.buy(payment, store, token)
            let request = RecordTransactionRequest(signedTransaction: transaction)
            let grant = try await WireClient(baseURL: try #require(HTTPURL(before.server))).call(ServerEndpoints.transactions, request)
            #expect(grant.balance == 10)
            let roots = try String(contentsOfFile: before.roots, encoding: .utf8)
            await first.kill()

            let (second, after) = try await Self.up(folder.url.path)
            let storeAgain = WireClient(baseURL: try #require(HTTPURL(after.store)))
            // The session, the payment, the ledgers and the root are unchanged, so earlier signatures are still valid.
            _ = try await Self.buy(payment, storeAgain, token)
            let charges = try await storeAgain.call(
                ControlEndpoints.charges, Empty(), parameters: ["account": Self.account.rawValue]
            ).charges
            #expect(charges.map(\.amount.milliunits) == [1980])
            let replay = try await WireClient(baseURL: try #require(HTTPURL(after.server))).call(ServerEndpoints.transactions, request)
            #expect(replay.alreadyRecorded && replay.balance == 10 && replay.transactionID == grant.transactionID)
            #expect(try String(contentsOfFile: after.roots, encoding: .utf8) == roots)
            #expect(await second.terminate() == 0)
        }
    }

    @Test(arguments: [1, 5, 20])
    func `twenty requests with one payment ID and a SIGKILL create one charge and one transaction`(
        _ answersBeforeKill: Int
    ) async throws {
        try await TemporaryFolder.with { folder in
            let payment = PaymentID(UUID())
            let (first, before) = try await Self.up(folder.url.path)
            let store = WireClient(baseURL: try #require(HTTPURL(before.store)))
            let token = try await Self.signIn(store)
            let answered = await withTaskGroup(of: SignedTransaction?.self) { group in
                for _ in 0..<20 {
                    group.addTask { try? await Self.buy(payment, store, token) }
                }
                var answered: [SignedTransaction?] = []
                while answered.count < answersBeforeKill, let answer = await group.next() {
                    answered.append(answer)
                }
                // The kill interrupts the other requests.
                await first.kill()
                group.cancelAll()
                return answered
            }

            let (second, after) = try await Self.up(folder.url.path)
            let storeAgain = WireClient(baseURL: try #require(HTTPURL(after.store)))
            let roots = try TrustedRoots.apple(and: try String(contentsOfFile: after.roots, encoding: .utf8), in: [.sandbox])
            let verifier = SignedDataVerifier(roots: roots, bundleID: "com.example.monkeyshop", environments: [.sandbox])
            let again = try await verifier.verify(try await Self.buy(payment, storeAgain, token)).payload.transactionId
            for answer in answered {
                #expect(try await verifier.verify(try #require(answer)).payload.transactionId == again)
            }
            let charges = try await storeAgain.call(
                ControlEndpoints.charges, Empty(), parameters: ["account": Self.account.rawValue]
            ).charges
            #expect(charges.count == 1)
            #expect(await second.terminate() == 0)
        }
    }
}
