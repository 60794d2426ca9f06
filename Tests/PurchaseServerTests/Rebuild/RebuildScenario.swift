import Foundation
import FoundationExtras
import GRDB
import Logging
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// A server whose database contains every kind of record: purchases by notification, by submission and by receipt, refunds, claims,
/// transfers, debits, grants and a merge.
struct RebuildScenario: Sendable {
    static let owner = Shop.customer
    static let second: CustomerID = "0b0b0b0b-2222-4222-8333-444444444444"
    private static let device = UUID()
    /// The purchases of the scenario.
    static let subscription: TransactionID = "400"
    static let book: TransactionID = "500"
    static let refunded: TransactionID = "300"
    static let receipt: TransactionID = "900"

    let server: PurchaseServer
    let storage: any PurchaseStorage
    let clock: ManualClock
    /// The server's configuration, for another server with the same database.
    let configuration: PurchaseServerConfiguration

    var services: AppServices {
        get throws { try #require(server.apps[.test]) }
    }

    /// Opens a server with a storage, and records the scenario.
    static func open(
        _ storage: any PurchaseStorage, policy: RefundPolicy = .floor, transfers: TransferRules = TransferRules(),
        _ body: (RebuildScenario) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            configuration.apps[0].receiptConfirmation = .off
            configuration.apps[0].refundPolicy = policy
            configuration.apps[0].transfers = transfers
            configuration.apps[0].products = [
                ServerProduct(id: .credits5, type: .consumable, credits: 5), ServerProduct(id: .magazine, credits: 10),
                ServerProduct(id: .book, entitlements: ["reader"]),
            ]
            configuration.secretKeyFile = folder.file("secret.key").path()
            let clock = ManualClock()
            let server = try await PurchaseServer(configuration: configuration, storage: storage, clock: clock, logger: .silent)
            let scenario = RebuildScenario(server: server, storage: storage, clock: clock, configuration: configuration)
            try await scenario.record()
            try await body(scenario)
        }
    }

    // MARK: Records

    private func record() async throws {
        try await notify(.creditSale, type: "ONE_TIME_CHARGE")
        try await submit(.creditSale)
        try await debit(3, "a")
        let refunded = TransactionPayload.creditSale.with {
            ($0.transactionId, $0.originalTransactionId, $0.quantity) = (Self.refunded, Self.refunded, 2)
        }
        try await submit(refunded)
        try await debit(8, "b")
        try await notify(refunded.refunded(), type: "REFUND")
        try await notify(refunded.with { $0.signedDate = $0.signedDate.adding(seconds: 200) }, type: "REFUND_REVERSED")
        try await notify(refunded.refunded(after: 300), type: "REFUND")
        try await recordSubscription()
        try await recordBook()
        try await recordReceipt()
        try await recordMerge()
        _ = try await services.entitlements.grant("beta", to: .id(Self.second), GrantEntitlementRequest(reason: "tester"))
    }

    private func recordSubscription() async throws {
        func period(_ number: Int64, _ id: TransactionID) -> TransactionPayload {
            TransactionPayload.sale(.magazine, .autoRenewable, id: id, expires: .testStart.adding(days: 30 * (number + 1))).with {
                ($0.originalTransactionId, $0.webOrderLineItemId) = (Self.subscription, "9\(number)")
                ($0.purchaseDate, $0.signedDate) = (.testStart.adding(days: 30 * number), .testStart.adding(days: 30 * number))
            }
        }
        func renewal(_ number: Int64, _ status: Int) -> RenewalInfoPayload {
            .sample(original: Self.subscription, autoRenewStatus: status, date: .testStart.adding(days: 30 * number).adding(seconds: 60))
        }
        // The second period arrives before the first one.
        try await notify(period(1, "401"), renewal(1, 1), type: "DID_RENEW")
        try await notify(period(0, "400"), renewal(0, 1), type: "SUBSCRIBED")
        try await notify(
            period(1, "401").with { $0.signedDate = $0.signedDate.adding(seconds: 90) }, renewal(2, 0), type: "DID_CHANGE_RENEWAL_STATUS")
    }

    private func recordBook() async throws {
        let sale = TransactionPayload.bookSale.with {
            ($0.transactionId, $0.originalTransactionId, $0.appAccountToken) = (Self.book, Self.book, nil)
        }.bound(to: Self.device)
        try await submit(sale, for: .id(Self.second), device: Self.device)
        try await submit(sale, for: .id(Self.owner), device: Self.device)
    }

    private func recordReceipt() async throws {
        let sale = TransactionPayload.creditSale.with {
            ($0.transactionId, $0.originalTransactionId, $0.appAccountToken) = (Self.receipt, Self.receipt, nil)
        }
        let receipt = try TestAuthority.shared.receipts.issue(.sample([sale]))
        try await submit(PurchaseProofInput(receipt: Data(receipt)), for: .id(Self.second), isBackend: true)
    }

    /// An anonymous customer has credits, and signs in as the second customer, whose alias is an account number.
    private func recordMerge() async throws {
        let customers = try services.customers
        _ = try await customers.addAlias("account-2", to: .id(Self.second))
        let anonymous = try await customers.createAnonymous(nil).customer
        try await submit(
            .creditSale.with { ($0.transactionId, $0.originalTransactionId, $0.appAccountToken) = ("700", "700", anonymous) })
        _ = try await services.ledger.grant(DebitRequest(idempotencyKey: "welcome", amount: 7), to: .id(anonymous))
        _ = try await customers.addAlias("account-2", to: .id(anonymous))
        clock.advance(seconds: 1)
        // The merge was a mistake, and is made again after it was undone.
        _ = try await customers.undoMerge(of: anonymous, into: .id(Self.second))
        clock.advance(seconds: 1)
        _ = try await services.ledger.debit(DebitRequest(idempotencyKey: "spent", amount: 1), from: .id(anonymous))
        _ = try await customers.addAlias("account-2", to: .id(anonymous))
        clock.advance(seconds: 1)
    }

    func notify(_ transaction: TransactionPayload, _ renewal: RenewalInfoPayload? = nil, type: String) async throws {
        let signed = try TestAuthority.shared.signedData.sign(NotificationPayload.about(transaction, renewal, type: type))
        _ = try await services.notifications.accept(WireJSON.encode(NotificationRequest(signedPayload: signed)), .silent)
        clock.advance(seconds: 1)
    }

    func submit(_ transaction: TransactionPayload, for customer: CustomerReference? = nil, device: UUID? = nil) async throws {
        try await submit(
            PurchaseProofInput(signedTransaction: try TestAuthority.shared.signedData.sign(transaction)), for: customer, device: device)
    }

    private func submit(
        _ proof: PurchaseProofInput, for customer: CustomerReference?, device: UUID? = nil, isBackend: Bool = false
    ) async throws {
        let request = SubmitPurchasesRequest(proofs: [proof], deviceVerificationID: device)
        let reply = try await services.purchases.submit(request, for: customer, isBackend: isBackend)
        #expect(reply.results.map(\.status) == [.verified])
        clock.advance(seconds: 1)
    }

    func debit(_ amount: Int64, _ key: String) async throws {
        _ = try await services.ledger.debit(DebitRequest(idempotencyKey: key, amount: amount), from: .id(Self.owner))
        clock.advance(seconds: 1)
    }

    /// Records a purchase that two customers have under the policy `share`.
    func claimShared() async throws {
        var shared = configuration
        shared.apps[0].transfers.policy = .share
        let server = try await PurchaseServer(configuration: shared, storage: storage, clock: clock, logger: .silent)
        let sharing = RebuildScenario(server: server, storage: storage, clock: clock, configuration: shared)
        let sale = TransactionPayload.bookSale.with { ($0.transactionId, $0.originalTransactionId) = ("501", "501") }.bound(to: Self.device)
        try await sharing.submit(sale)
        try await sharing.submit(sale, for: .id(Self.second), device: Self.device)
    }

    // MARK: Rebuilds

    /// Rebuilds, and returns the report and the differences.
    func rebuild(isWriting: Bool = false) async throws -> (report: RebuildReport, differences: [RebuildDifference]) {
        let differences = Mutex<[RebuildDifference]>([])
        let report = try await server.rebuild(.test, isWriting: isWriting) { event in
            if case .difference(let difference) = event { differences.withLock { $0.append(difference) } }
        }
        return (try #require(report), differences.withLock { $0 })
    }

    /// Executes statements, whose parameter `?1` is the app.
    @discardableResult
    func execute(_ statements: [String]) async throws -> [Int] {
        try await storage.write(.test) { records in try statements.map { try #require(records as? SQLTransaction).changes($0) } }
    }

    /// The rows of every table of a SQLite database, as text.
    func rows() async throws -> [String] {
        try await (try #require(storage as? SQLitePurchaseStorage)).writer.read { db in
            let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            return try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }.sorted()
            }
        }
    }
}

/// A storage that refuses writes after a number of them, once.
final class InterruptibleStorage: SQLPurchaseStorage {
    private let storage: any SQLPurchaseStorage
    /// The number of writes until one is refused; nil for never.
    private let remaining = Mutex<Int?>(nil)

    init(storage: any SQLPurchaseStorage) {
        self.storage = storage
    }

    /// Refuses one write after a number of successful ones.
    func interrupt(afterWrites count: Int) { remaining.withLock { $0 = count } }

    func readTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await storage.readTables(app, body)
    }

    func writeTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        let isRefused = remaining.withLock { remaining in
            guard let count = remaining else { return false }
            remaining = count > 0 ? count - 1 : nil
            return count == 0
        }
        guard !isRefused else { throw StorageError.locked }
        return try await storage.writeTables(app, body)
    }

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        try await storage.writeSecrets(body)
    }

    func publishFeedEvents(_ app: BundleID, limit: Int) async throws -> Int { try await storage.publishFeedEvents(app, limit: limit) }

    func checkWritable() async throws { try await storage.checkWritable() }
}
