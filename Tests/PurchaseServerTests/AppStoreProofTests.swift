import AppStoreServerAPI
import Crypto
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of proofs that the server verifies with a local App Store: identifiers and receipts of iOS 6.
@Suite struct AppStoreProofTests {
    private static func submit(_ proof: PurchaseProofInput, _ shop: ConnectedShop) async throws -> ProofResult {
        let request = SubmitPurchasesRequest(proofs: [proof])
        return try #require(try await shop.app.purchases.submit(request, for: .id(Shop.customer), isBackend: true).results.first)
    }

    @Test func `a transaction identifier is looked up, and without an answer of the App Store nothing is decided`() async throws {
        try await ConnectedShop.open { shop in
            let signed = try await shop.device.signedPurchase(.book, customer: nil)
            let id = try await shop.store.payloads([signed])[0].transactionId
            try await shop.setServerAPI(failing: true)
            let away = try await Self.submit(PurchaseProofInput(transactionID: id), shop)
            #expect(away.status == .indeterminate && away.code == "proof.indeterminate")
            #expect(try await !shop.entitlement(to: .book).isActive)
            try await shop.setServerAPI(failing: false)
            shop.clock.advance(seconds: 600)
            let found = try await Self.submit(PurchaseProofInput(transactionID: id), shop)
            #expect(found.purchases.map(\.transactionID) == [id] && found.purchases.first?.fulfillment == .complete)
            #expect(try await shop.entitlement(to: .book).isActive)
            for unknown in ["9999999999999999", "", "../x", "a b"] {
                let refused = try await Self.submit(PurchaseProofInput(transactionID: TransactionID(unknown)), shop)
                #expect(refused.status == .refused && refused.code == "proof.unknown-transaction", "\(unknown)")
            }
        }
    }

    private static let confirmations: [(TransactionConfirmation, away: ProofResult.Status, credits: Int64)] = [
        (.off, .verified, 5), (.soft, .verified, 0), (.hard, .indeterminate, 0),
    ]

    @Test(arguments: confirmations)
    func `a signed transaction is confirmed with the App Store as configured, so that a later refund counts`(
        _ mode: TransactionConfirmation, _ away: ProofResult.Status, _ credits: Int64
    ) async throws {
        try await ConnectedShop.open(change: Shop.Change { $0.transactionConfirmation = mode }) { shop in
            let signed = try await shop.device.signedPurchase(.credits, customer: Shop.customer)
            let proof = PurchaseProofInput(signedTransaction: signed)
            try await shop.store.refund(shop.store.payloads([signed])[0].transactionId)
            #expect(try await Self.submit(proof, shop).status == .verified)
            #expect(try await shop.app.ledger.balances(of: .id(Shop.customer)).amount() == credits)
            try await shop.setServerAPI(failing: true)
            #expect(try await Self.submit(proof, shop).status == away)
            #expect(try await shop.app.ledger.balances(of: .id(Shop.customer)).amount() == credits)
        }
    }

    @Test func `a signed transaction that the App Store does not know is refused when transactions are confirmed`() async throws {
        try await ConnectedShop.open(change: Shop.Change { $0.transactionConfirmation = .soft }) { shop in
            let other = try TestAuthority.shared.signedData.sign(TransactionPayload.creditSale) as SignedTransaction
            #expect(try await Self.submit(PurchaseProofInput(signedTransaction: other), shop).status == .refused)
        }
    }

    private static let sandbox: [(SandboxPurchases, credits: Int64, isActive: Bool)] = [
        (.entitlements, 0, true), (.all, 5, true), (.none, 0, false),
    ]

    @Test(arguments: sandbox)
    func `in production, purchases of the sandbox give what the configuration states`(
        _ mode: SandboxPurchases, _ credits: Int64, _ isActive: Bool
    ) async throws {
        try await TemporaryFolder.with { folder in
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            try Shop.bookText.write(to: folder.file("book.txt"))
            configuration.environment = .production
            configuration.apps[0].sandboxPurchases = mode
            // A production configuration with the test's roots is not valid, so the app is created without a server.
            let clock = ManualClock()
            let app = try await AppServices(
                configuration.apps[0],
                of: ServerResources(
                    configuration: configuration, storage: SQLitePurchaseStorage(.memory),
                    clock: clock, transportClock: clock, timer: InstantTimer(), logger: .silent))
            for sale in [TransactionPayload.creditSale, .bookSale] {
                let proof = PurchaseProofInput(signedTransaction: try TestAuthority.shared.signedData.sign(sale))
                let reply = try await app.purchases.submit(SubmitPurchasesRequest(proofs: [proof]), for: nil, isBackend: true)
                #expect(reply.results.first?.purchases.first?.fulfillment == .complete)
            }
            #expect(try await app.ledger.balances(of: .id(Shop.customer)).amount() == credits)
            let book = try await app.entitlements.read(EntitlementName(ProductID.book.rawValue), of: .id(Shop.customer), at: nil)
            #expect(book.isActive == isActive)
            #expect(try await app.givesContent(of: .book) == isActive)
        }
    }

    /// Apple's two environments, of which only the sandbox knows a transaction.
    private struct AppleEnvironments: ServerAPITransport {
        let transaction: SignedTransaction
        var isSandboxAway = false

        func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
            guard request.url.hasPrefix("https://api.storekit-sandbox.apple.com/") else {
                return ServerAPITransportResponse(status: 404, body: Data(#"{"errorCode":4040010,"errorMessage":"Unknown."}"#.utf8))
            }
            guard !isSandboxAway else { throw .notConnected }
            return ServerAPITransportResponse(status: 200, body: Data(#"{"signedTransactionInfo":"\#(transaction.compact)"}"#.utf8))
        }
    }

    @Test(arguments: [(AppEnvironment.production, false), (.production, true), (.sandbox, false)])
    func `in production, an identifier of App Review is looked up in the sandbox, too`(
        _ environment: AppEnvironment, _ isSandboxAway: Bool
    ) async throws {
        try await TemporaryFolder.with { folder in
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            try Shop.bookText.write(to: folder.file("book.txt"))
            configuration.environment = environment
            configuration.apps[0].sandboxPurchases = .all
            configuration.apps[0].appStoreServerAPI = AppStoreServerAPIKey(
                issuerID: UUID().uuidString, keyID: "ABC1234567", privateKey: P256.Signing.PrivateKey().pemRepresentation)
            let clock = ManualClock()
            let sale = TransactionPayload.bookSale
            let app = try await AppServices(
                configuration.apps[0],
                of: ServerResources(
                    configuration: configuration, storage: SQLitePurchaseStorage(.memory),
                    appStore: AppleEnvironments(transaction: try TestAuthority.shared.signedData.sign(sale), isSandboxAway: isSandboxAway),
                    clock: clock, transportClock: clock, timer: InstantTimer(), logger: .silent))
            let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(transactionID: sale.transactionId)])
            let result = try #require(try await app.purchases.submit(request, for: .id(Shop.customer), isBackend: true).results.first)
            #expect(result.status == (isSandboxAway ? .indeterminate : .verified))
            #expect((result.purchases.first?.fulfillment == .complete) == !isSandboxAway)
        }
    }

    @Test func `an app learns nothing from the identifiers of transactions that are not its customer's`() async throws {
        try await ConnectedShop.open { shop in
            let stranger = try await shop.store.payloads([try await shop.device.signedPurchase(.book, customer: CustomerID(UUID()))])[0]
            let own = try await shop.store.payloads([try await shop.device.signedPurchase(.magazine, customer: Shop.customer)])[0]
            func submit(_ id: TransactionID, for customer: CustomerReference?) async throws -> ProofResult {
                let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(transactionID: id)])
                return try #require(try await shop.app.purchases.submit(request, for: customer, isBackend: false).results.first)
            }
            let unknown = try await submit("9999999999999999", for: .id(Shop.customer))
            let foreign = try await submit(stranger.transactionId, for: .id(Shop.customer))
            #expect(foreign.status == .refused && foreign == unknown)
            #expect(try await submit(own.transactionId, for: .id(Shop.customer)).purchases.first?.fulfillment == .complete)
            #expect(try await submit(own.transactionId, for: nil).status == .refused)
            var codes: Set<String?> = []
            for number in 0..<40 { codes.insert(try await submit(TransactionID("77\(number)"), for: .id(Shop.customer)).code) }
            #expect(codes == ["proof.unknown-transaction", "proof.lookup-limit"])
        }
    }

    @Test func `a receipt of iOS 6 is recorded after the App Store has confirmed it`() async throws {
        try await ConnectedShop.open { shop in
            let signed = try await shop.device.signedPurchase(.book, customer: nil)
            let id = try await shop.store.payloads([signed])[0].transactionId
            let request = TransactionReceiptRequest(transactionID: id)
            let receipt = try await shop.device.call(DeviceEndpoints.transactionReceipt, request).receipt
            _ = try await shop.store.call(ControlEndpoints.setFault, Fault(.verifyReceiptOutage))
            let away = try await Self.submit(PurchaseProofInput(transactionReceipt: receipt), shop)
            #expect(away.status == .indeterminate)
            #expect(try await !shop.entitlement(to: .book).isActive)
            _ = try await shop.store.call(ControlEndpoints.clearFaults, Empty())
            let confirmed = try await Self.submit(PurchaseProofInput(transactionReceipt: receipt), shop)
            #expect(confirmed.purchases.map(\.transactionID) == [id] && confirmed.purchases.first?.fulfillment == .complete)
            let entitlement = try await shop.entitlement(to: .book)
            #expect(entitlement.isActive && entitlement.environment == AppEnvironment.sandbox.rawValue)
            for damaged in [Data(), Data("{}".utf8), receipt.dropLast(40), receipt + receipt] {
                #expect(try await Self.submit(PurchaseProofInput(transactionReceipt: damaged), shop).status == .refused)
            }
        }
    }
}
