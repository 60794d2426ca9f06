import AppStoreServerAPI
import Crypto
import Foundation
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of transactions that lack `environment`, as in 2021, or `bundleId`.
@Suite struct UnstatedMemberSubmissionTests {
    private static let sale = TransactionPayload.bookSale.with { $0.environment = "" }
    private static let saleWithoutApp = TransactionPayload.bookSale.with { $0.bundleId = "" }

    @Test func `a transaction without an environment is recorded, and the environment is unknown`() async throws {
        try await Shop.open { shop async throws in
            let result = try await shop.record(Self.sale)
            #expect(result.status == .verified && result.purchases.first?.fulfillment == .complete, "\(result)")
            let entitlement = try await shop.entitlement(to: .book)
            #expect(entitlement.isActive && entitlement.environment == "")
            // The same transaction with an environment, signed later, states it.
            try await shop.record(.bookSale.with { $0.signedDate = $0.signedDate.adding(seconds: 10) })
            #expect(try await shop.entitlement(to: .book).environment == "Sandbox")
        }
    }

    @Test func `a notification without an environment is recorded`() async throws {
        try await Shop.open { shop async throws in
            let signed = try TestAuthority.shared.signedData.sign(Self.sale)
            var data = NotificationData(bundleId: .test, environment: "")
            data.signedTransactionInfo = signed
            let payload = NotificationPayload(
                notificationType: "ONE_TIME_CHARGE", subtype: nil, notificationUUID: UUID().uuidString, signedDate: .testStart, data: data)
            #expect(try await shop.notify(payload).status == .ok)
            #expect(try await shop.entitlement(to: .book).isActive)
        }
    }

    @Test func `a transaction without an app is refused with its own code, and names the member`() async throws {
        try await Shop.open { shop async throws in
            let result = try await shop.record(Self.saleWithoutApp)
            #expect(result.status == .refused && result.message?.contains("lacks the member bundleId") == true, "\(result)")
            #expect(try await !shop.entitlement(to: .book).isActive)
        }
    }

    /// The App Store Server API, which knows one transaction.
    private struct AppStore: ServerAPITransport {
        let transaction: SignedTransaction

        func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
            ServerAPITransportResponse(status: 200, body: Data(#"{"signedTransactionInfo":"\#(transaction.compact)"}"#.utf8))
        }
    }

    @Test(arguments: [true, false])
    func `an answer of the App Store Server API names the app, and may lack it if configured`(_ isAccepted: Bool) async throws {
        try await TemporaryFolder.with { folder in
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            try Shop.bookText.write(to: folder.file("book.txt"))
            var key = AppStoreServerAPIKey(
                issuerID: UUID().uuidString, keyID: "ABC1234567", privateKey: P256.Signing.PrivateKey().pemRepresentation)
            key.acceptsMissingBundleID = isAccepted
            configuration.apps[0].appStoreServerAPI = key
            let clock = ManualClock()
            let app = try await AppServices(
                configuration.apps[0],
                of: ServerResources(
                    configuration: configuration, storage: SQLitePurchaseStorage(.memory),
                    appStore: AppStore(transaction: try TestAuthority.shared.signedData.sign(Self.saleWithoutApp)),
                    clock: clock, transportClock: clock, timer: InstantTimer(), logger: .silent))
            let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(transactionID: Self.sale.transactionId)])
            for _ in 0..<2 {
                let result = try #require(try await app.purchases.submit(request, for: .id(Shop.customer), isBackend: true).results.first)
                #expect(result.status == (isAccepted ? .verified : .refused), "\(result)")
            }
            let book = try await app.entitlements.read(EntitlementName(ProductID.book.rawValue), of: .id(Shop.customer), at: nil)
            #expect(book.isActive == isAccepted)
            // An app that submits the transaction itself states nothing about its source.
            let own = SubmitPurchasesRequest(
                proofs: [PurchaseProofInput(signedTransaction: try TestAuthority.shared.signedData.sign(Self.saleWithoutApp))])
            #expect(try await app.purchases.submit(own, for: nil, isBackend: true).results.first?.status == .refused)
        }
    }
}
