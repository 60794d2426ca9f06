import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing
import WireServer

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the statuses of the server's `verifyReceipt`, and of what its answers contain.
@Suite struct VerifyReceiptEndpointTests {
    static let secret = "0123456789abcdef0123456789abcdef"

    static func receipt(
        _ transactions: [TransactionPayload] = [.bookSale], bundle: BundleID = .test, environment: AppEnvironment = .sandbox,
        signer authority: TestAuthority = .shared
    ) throws -> Data {
        Data(try authority.receipts.issue(.sample(transactions, bundle: bundle, environment: environment)))
    }

    static func body(_ receipt: Data, password: String? = secret, excludesOld: Bool? = nil) throws -> Data {
        try WireJSON.encode(
            VerifyReceiptRequest(
                receiptData: receipt.base64EncodedString(), password: password, excludeOldTransactions: excludesOld))
    }

    @Test(arguments: [
        ("", 21002), ("not json", 21002), ("[]", 21002), ("null", 21002), (String(repeating: "[", count: 5_000), 21002),
        ("receipt-data=MIIB", 21002), ("{}", 21002), (#"{"receipt-data":7}"#, 21002), (#"{"receipt-data":""}"#, 21002),
        (#"{"receipt-data":"%%%"}"#, 21002), (#"{"receipt-data":"AAAA"}"#, 21002), (#"{"receipt-data":"MIIB\nAAAA"}"#, 21002),
        (#"{"receipt-data":"e30="}"#, 21002), (#"{"receipt-data":"AAAA","password":7}"#, 21002),
    ])
    func `an unreadable body is malformed data as for the App Store, and another method has a status of its own`(
        _ body: String, _ status: Int
    )
        async throws
    {
        try await Shop.open { shop async throws in
            for path in VerifyReceiptCompatibilityController.paths {
                let answer = try await shop.post(path, Data(body.utf8))
                #expect(answer.status == .ok && String(decoding: answer.body, as: UTF8.self) == #"{"status":\#(status)}"#)
                #expect(try await String(decoding: shop.get(path).body, as: UTF8.self) == #"{"status":21000}"#)
            }
        }
    }

    @Test func `a body over the limit is malformed data`() async throws {
        try await Shop.open { shop async throws in
            let body = Data((#"{"receipt-data":""# + String(repeating: "A", count: 9 << 20) + #""}"#).utf8)
            #expect(try await shop.verifyReceipt(body).status == .malformed)
        }
    }

    private static let refused: [(String, @Sendable () throws -> Data, VerifyReceiptStatus)] = [
        ("another root", { try body(receipt(signer: .other)) }, .notAuthenticated),
        ("another app", { try body(receipt(bundle: "com.example.other")) }, .notAuthenticated),
        ("no secret", { try body(receipt(), password: nil) }, .secretMismatch),
        ("an empty secret", { try body(receipt(), password: "") }, .secretMismatch),
        ("a wrong secret", { try body(receipt(), password: secret.uppercased()) }, .secretMismatch),
        ("a receipt of Xcode", { try body(receipt(environment: .xcode)) }, .malformed),
    ]

    @Test(arguments: refused.map(\.0))
    func `a receipt is refused, and the answer contains nothing of it`(_ name: String) async throws {
        let (_, body, status) = try #require(Self.refused.first { $0.0 == name })
        try await Shop.open { shop async throws in
            var expected = VerifyReceiptResponse(status: status)
            if status == .secretMismatch { expected.environment = "Sandbox" }
            #expect(try await shop.verifyReceipt(body()) == expected)
        }
    }

    @Test(arguments: [AppEnvironment.production, .sandbox])
    func `each environment has its URL, and names the other one`(_ server: AppEnvironment) async throws {
        try await Shop.open { shop async throws in
            // A production configuration with the test's roots is not valid, so the routes are added to a router of their own.
            var configuration = shop.server.configuration
            configuration.environment = server
            configuration.roots = try TrustedRoots.localStore(TestAuthority.shared.authority.rootsPEM)
            let router = Router(context: ServerContext.self)
            VerifyReceiptCompatibilityController(
                apps: shop.server.apps, server: configuration, revocation: .off, clock: shop.clock, limits: LimitLog(.silent)
            ).addRoutes(to: router)
            try await Application(router: router).test(.router) { client async throws in
                func status(_ path: String, _ environment: AppEnvironment) async throws -> VerifyReceiptStatus {
                    let body = ByteBuffer(data: try Self.body(Self.receipt(environment: environment)))
                    let response = try await client.execute(uri: path, method: .post, body: body)
                    return try WireJSON.decode(VerifyReceiptResponse.self, from: Data(buffer: response.body)).status
                }
                let isProduction = server == .production
                #expect(try await status("/verifyReceipt", .sandbox) == (isProduction ? .testReceiptAtProduction : .valid))
                #expect(try await status("/verifyReceipt", .production) == (isProduction ? .valid : .productionReceiptAtTest))
                #expect(try await status("/sandbox/verifyReceipt", .sandbox) == .valid)
                #expect(try await status("/sandbox/verifyReceipt", .production) == .productionReceiptAtTest)
            }
        }
    }

    @Test func `without a shared secret the answer contains what the receipt contains, and no more`() async throws {
        try await Shop.open(change: Shop.Change { $0.sharedSecret = nil }) { shop async throws in
            let magazine = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30))
            try await shop.record(magazine.with { $0.transactionId = "3001" })
            try await shop.record(.bookSale.refunded())
            let answer = try await shop.verifyReceipt(Self.body(Self.receipt([magazine, .bookSale]), password: "anything"))
            #expect(answer.status == .valid && Set(answer.receipt?.inApp.map(\.transactionID) ?? []) == ["3000", "2000000000000002"])
            #expect(answer.receipt?.inApp.map(\.cancellationReason) == answer.receipt?.inApp.map { $0.productID == .book ? "0" : nil })
            #expect(answer.latestReceiptInfo == nil && answer.latestReceipt == nil && answer.pendingRenewalInfo == nil)
        }
    }

    @Test func `verifying a receipt records nothing, and the App Store is not asked`() async throws {
        try await Shop.open { shop async throws in
            let magazine = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30))
            let answer = try await shop.verifyReceipt(Self.body(Self.receipt([magazine, .bookSale])))
            #expect(answer.status == .valid && answer.latestReceiptInfo?.count == 2)
            #expect(try await shop.server.transactions(limit: 10).isEmpty)
            #expect(FakeAppStore.Host.allCases.allSatisfy { shop.appStore.requests(to: $0).isEmpty })
        }
    }

    @Test func `a receipt discloses no purchase of the customer that another App Store account made`() async throws {
        try await Shop.open { shop async throws in
            let magazine = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30))
            try await shop.record(magazine.with { $0.appTransactionId = "account 1" })
            try await shop.record(.bookSale.with { $0.appTransactionId = "account 2" })
            try await shop.record(
                .sale("lost", .nonConsumable, id: "4000").with { $0.appTransactionId = "account 1" })
            let answer = try await shop.verifyReceipt(Self.body(Self.receipt([magazine])))
            #expect(Set(answer.latestReceiptInfo?.map(\.transactionID) ?? []) == ["3000", "4000"])
        }
    }

    @Test func `requests without the shared secret are limited by the address of the client`() async throws {
        let rates = RequestRates(
            installation: RequestRate(perSecond: 1, burst: 2), backend: RequestRate(perSecond: 1_000, burst: 1_000))
        try await Shop.open(rates: rates) { shop async throws in
            let (wrong, right) = (try Self.body(Self.receipt(), password: "wrong"), try Self.body(Self.receipt()))
            #expect(try await shop.verifyReceipt(wrong).status == .secretMismatch)
            #expect(try await shop.post("/verifyReceipt", Data("{".utf8)).status == .ok)
            let refused = try await shop.post("/verifyReceipt", wrong)
            #expect(refused.status == .tooManyRequests && refused.code == "requests.too-many" && refused.headers[.retryAfter] == "1")
            for _ in 0..<5 { #expect(try await shop.verifyReceipt(right).status == .valid) }
        }
    }

    @Test func `a database that can't be read is an internal error, which is retryable`() async throws {
        try await TemporaryFolder.with { folder in
            let storage = try UnreliableStorage()
            let configuration = try Shop.configuration(contentFolder: folder.url.path())
            let server = try await PurchaseServer(configuration: configuration, storage: storage, clock: ManualClock(), logger: .silent)
            storage.fail(.locked)
            try await Application(router: server.router()).test(.router) { client async throws in
                let body = ByteBuffer(data: try Self.body(Self.receipt()))
                let response = try await client.execute(uri: "/verifyReceipt", method: .post, body: body)
                #expect(response.status == .ok && String(buffer: response.body) == #"{"is_retryable":true,"status":21009}"#)
            }
        }
    }

    private static let unknownRenewals: [(ReceiptConfirmation, isAnswered: Bool, VerifyReceiptStatus, periods: Int?)] = [
        (.off, true, .valid, 1), (.soft, true, .accountNotFound, nil), (.hard, true, .accountNotFound, nil), (.soft, false, .valid, 1),
        (.hard, false, .internalError, nil),
    ]

    @Test(arguments: [(ReceiptConfirmation.soft, VerifyReceiptStatus.valid), (.hard, .internalError)])
    func `an outage of the App Store does not make a verified receipt malformed`(
        _ confirmation: ReceiptConfirmation, _ status: VerifyReceiptStatus
    ) async throws {
        try await Shop.open(change: Shop.Change { $0.receiptConfirmation = confirmation }) { shop async throws in
            let magazine = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30))
            let body = try Self.body(Self.receipt([magazine]))
            #expect(try await shop.verifyReceipt(body).status == .valid)
            shop.clock.advance(seconds: 31 * 86_400)
            for outage in [21002, 21005, 21009] {
                shop.appStore.set(.sandbox, .status(outage))
                #expect(try await shop.verifyReceipt(body).status == status)
            }
        }
    }

    @Test(arguments: unknownRenewals)
    func `the App Store is asked about a subscription that ended while the server knew nothing of it`(
        _ confirmation: ReceiptConfirmation, _ isAnswered: Bool, _ status: VerifyReceiptStatus, _ periods: Int?
    ) async throws {
        try await Shop.open(change: Shop.Change { $0.receiptConfirmation = confirmation }) { shop async throws in
            // The status shows whose answer it is.
            shop.appStore.set(.sandbox, isAnswered ? .status(21010) : .overloaded)
            let magazine = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30))
            let body = try Self.body(Self.receipt([magazine]))
            #expect(try await shop.verifyReceipt(body).status == .valid)
            #expect(shop.appStore.requests(to: .sandbox).isEmpty)
            shop.clock.advance(seconds: 31 * 86_400)
            let answer = try await shop.verifyReceipt(body)
            #expect(answer.status == status && answer.latestReceiptInfo?.count == periods)
            #expect(answer.isRetryable == (status == .internalError ? true : nil))
            #expect(shop.appStore.requests(to: .sandbox).map(\.password) == (confirmation == .off ? [] : [Self.secret]))
            // Renewal info that states the end needs no question.
            var ended = RenewalInfoPayload.sample(original: "3000", autoRenewStatus: 0, date: shop.clock.now)
            ended.expirationIntent = 1
            _ = try await shop.notify(.about(magazine.with { $0.signedDate = shop.clock.now }, ended, type: "EXPIRED"))
            let known = try await shop.verifyReceipt(body)
            #expect(known.status == .valid && known.pendingRenewalInfo?.map(\.expirationIntent) == ["1"])
        }
    }

    @Test func `a renewal in the receipt that the server has not recorded yet is in the answer`() async throws {
        try await Shop.open { shop async throws in
            let first = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30))
            try await shop.record(first)
            shop.clock.advance(seconds: 31 * 86_400)
            let second = first.with {
                $0.transactionId = "3001"
                $0.purchaseDate = .testStart.adding(days: 30)
                $0.expiresDate = .testStart.adding(days: 60)
            }
            let answer = try await shop.verifyReceipt(Self.body(Self.receipt([first, second])))
            #expect(answer.latestReceiptInfo?.map(\.transactionID) == ["3001", "3000"])
            let newest = try await shop.verifyReceipt(Self.body(Self.receipt([first, second]), excludesOld: true))
            #expect(newest.latestReceiptInfo?.map(\.transactionID) == ["3001"])
            #expect(shop.appStore.requests(to: .sandbox).isEmpty)
        }
    }
}

extension Shop {
    /// Sends a request to `verifyReceipt`, and returns the answer, which has HTTP status 200.
    func verifyReceipt(_ body: Data) async throws -> VerifyReceiptResponse {
        let answer = try await post("/verifyReceipt", body)
        #expect(answer.status == .ok)
        return try answer.value()
    }
}
