import Foundation
import FoundationExtras
import MonkeyShopBackend
import ProcessTestSupport
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire
import WireClient

/// Tests that kill `monkeyshop up`, one process with a store and a server whose state is in files.
@Suite struct KillTests {
    private static let account: AccountID = "jane@example.com"
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    private static func up(_ folder: String) async throws -> (LineProcess, UpAddresses) {
        let process = try LineProcess(
            BuiltProducts.path("monkeyshop"),
            ["up", "--folder", folder, "--store-port", "0", "--server-port", "0", "--shop-port", "0", "--json"],
            standardError: .nullDevice
        )
        let line = try #require(await process.lines.first { _ in true })
        return (process, try WireJSON.decode(UpAddresses.self, from: Data(line.utf8)))
    }

    private static func buy(_ payment: PaymentID, on device: SignedInDevice) async throws -> SignedTransaction {
        try await device.signedPurchase("com.example.monkeyshop.credits5", 2, payment: payment, customer: customer)
    }

    @Test func `answered requests survive a SIGKILL, and nothing is charged or credited twice`() async throws {
        try await TemporaryFolder.with { folder in
            let payment = PaymentID(UUID())
            let (first, before) = try await Self.up(folder.url.path)
            let device = try await ConnectedStore(at: try #require(HTTPURL(before.store))).signIn(Self.account)
            let transaction = try await Self.buy(payment, on: device)
            let backend = ServerBackend(wire: WireClient(baseURL: try #require(HTTPURL(before.server))), key: before.keys.secret)
            #expect(try await backend.submit(transaction).credits == 10)
            let roots = try String(contentsOfFile: before.roots, encoding: .utf8)
            await first.kill()

            let (second, after) = try await Self.up(folder.url.path)
            let storeAgain = ConnectedStore(at: try #require(HTTPURL(after.store)))
            let deviceAgain = SignedInDevice(store: storeAgain, account: device.account, token: device.token)
            // The sign-in, the payment, the ledgers and the root certificate have not changed, so earlier signatures are still valid.
            _ = try await Self.buy(payment, on: deviceAgain)
            let charges = try await storeAgain.charges(of: Self.account)
            #expect(charges.map(\.amount.milliunits) == [1980])
            #expect(after.keys == before.keys)
            let backendAgain = ServerBackend(wire: WireClient(baseURL: try #require(HTTPURL(after.server))), key: after.keys.secret)
            #expect(try await backendAgain.submit(transaction).isKnown)
            #expect(try await backendAgain.balance(of: Self.customer) == 10)
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
            let device = try await ConnectedStore(at: try #require(HTTPURL(before.store))).signIn(Self.account)
            let answered = await withTaskGroup(of: SignedTransaction?.self) { group in
                for _ in 0..<20 {
                    group.addTask { try? await Self.buy(payment, on: device) }
                }
                var answered: [SignedTransaction?] = []
                while answered.count < answersBeforeKill, let answer = await group.next() {
                    answered.append(answer)
                }
                // SIGKILL interrupts the requests without an answer.
                await first.kill()
                group.cancelAll()
                return answered
            }

            let (second, after) = try await Self.up(folder.url.path)
            let storeAgain = ConnectedStore(at: try #require(HTTPURL(after.store)))
            let deviceAgain = SignedInDevice(store: storeAgain, account: device.account, token: device.token)
            let roots = try TrustedRoots.apple(and: try String(contentsOfFile: after.roots, encoding: .utf8), in: [.sandbox])
            let verifier = SignedDataVerifier(roots: roots, bundleID: "com.example.monkeyshop", environments: [.sandbox])
            let again = try await verifier.verify(try await Self.buy(payment, on: deviceAgain)).payload.transactionId
            for answer in answered {
                #expect(try await verifier.verify(try #require(answer)).payload.transactionId == again)
            }
            let charges = try await storeAgain.charges(of: Self.account)
            #expect(charges.count == 1)
            #expect(await second.terminate() == 0)
        }
    }
}
