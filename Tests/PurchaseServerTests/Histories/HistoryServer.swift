import Foundation
import FoundationExtras
import GRDB
import LocalAppStore
import Logging
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// A server in this process with a database in memory, which receives the messages of a history and reconciles with its store.
enum HistoryServer {
    /// Delivers messages to a new server, reconciles it with the store, and returns the outcome at the end of the history.
    ///
    /// Between the messages and at the end, the backend debits credits, and ``FreezeOracle`` checks the results. The outcome
    /// has the balances without the debits, and without what a refund of spent credits wrote off, so that it equals the store's charges less
    /// its refunds.
    static func outcomes(
        of history: StoreHistory, in store: StoreHarness, receiving messages: [StoreHistory.Message], missing lost: Int,
        policy: RefundPolicy, _ random: inout SeededRandom
    ) async throws -> (outcomes: PurchaseOutcomes, frozenDebits: Int) {
        // Removed when the last use of it ends, below.
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var app = AppConfiguration(
            bundleID: .test, products: HistoryCatalog.serverProducts, content: .folder(folder.url.path()), receiptConfirmation: .off)
        app.refundPolicy = policy
        app.appStoreServerAPI = AppStoreServerAPIKey(
            issuerID: store.store.apiKey.issuerID, keyID: store.store.apiKey.keyID, privateKey: store.store.apiKey.privateKeyPEM,
            baseURL: store.url)
        let configuration = PurchaseServerConfiguration(apps: [app], environment: .sandbox, roots: history.roots, database: .memory)
        let clock = ManualClock(history.end)
        let server = try await PurchaseServer(
            configuration: configuration, clock: clock, transportClock: store.clock, timer: InstantTimer(), logger: .silent)
        let services = try #require(server.apps[.test])
        var debits = Debits(customers: history.expected.balances.keys.sorted(), policy: policy, random: random)
        for message in messages {
            try await deliver(message, to: services)
            try await debits.perform(in: services)
        }
        random = debits.random
        let report = try #require(try await server.reconcile(.test))
        let found = "\(report.summary) \(report.message ?? ""), \(lost) lost\n\(history.transcript)"
        #expect(report.outcome == .complete && report.missing == lost, "\(found)")
        for customer in debits.customers { try await debits.debit(1, from: customer, in: services) }
        let audit = try await services.ledger.audit()
        #expect(audit.unbalanced.isEmpty, "\(history.transcript)")
        // Everything follows from the signed originals and the recorded decisions.
        let rebuilt = try await server.rebuild(.test, isWriting: false) { event in
            if case .difference(let difference) = event { Issue.record("\(difference)\n\(history.transcript)") }
        }
        #expect(rebuilt?.isConsistent == true)
        var outcomes = try await outcomes(of: services, for: history)
        outcomes.debitViolations = debits.oracle.violations
        let writtenOff = try await writtenOff(services)
        for (customer, balance) in outcomes.balances {
            if policy == .floor { #expect(balance >= 0, "\(history.transcript)") }
            #expect(policy == .floor || writtenOff[customer, default: 0] == 0)
            outcomes.balances[customer] = balance + debits.debited[customer, default: 0] - writtenOff[customer, default: 0]
        }
        return (outcomes, debits.oracle.refusals)
    }

    /// The credits that refunds wrote off, by customer.
    private static func writtenOff(_ app: AppServices) async throws -> [CustomerID: Int64] {
        try await app.storage.read(app.id) { records in
            let rows = try #require(records as? SQLTransaction).all(
                "SELECT customer, sum(written_off) AS amount FROM purchase_credit WHERE app = ?1 GROUP BY customer"
            ) { (CustomerID(try $0["customer"] as String), try $0["amount"] as Int64) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    /// Debits of a backend between the messages; a refused debit changes nothing.
    private struct Debits {
        let customers: [CustomerID]
        let policy: RefundPolicy
        var random: SeededRandom
        var debited: [CustomerID: Int64] = [:]
        var oracle = FreezeOracle()
        private var number = 0

        init(customers: [CustomerID], policy: RefundPolicy, random: SeededRandom) {
            self.customers = customers
            self.policy = policy
            self.random = random
        }

        mutating func perform(in app: AppServices) async throws {
            guard Int.random(in: 0..<3, using: &random) == 0, let customer = customers.randomElement(using: &random) else { return }
            try await debit(Int64.random(in: 1...15, using: &random), from: customer, in: app)
        }

        /// Debits credits, repeats the request, and checks the result.
        mutating func debit(_ amount: Int64, from customer: CustomerID, in app: AppServices) async throws {
            number += 1
            let request = DebitRequest(idempotencyKey: "debit \(number)", amount: amount)
            let (balance, lowest) = try await balances(of: customer, in: app)
            if policy == .freeze { oracle.observe(balance: lowest, of: customer) }
            do {
                _ = try await app.ledger.debit(request, from: .id(customer))
                debited[customer, default: 0] += amount
                #expect(try await app.ledger.debit(request, from: .id(customer)).isRepeated)
                oracle.check(.made, of: amount, from: balance, of: customer)
            } catch LedgerRefusal.insufficient {
                oracle.check(.insufficient, of: amount, from: balance, of: customer)
            } catch LedgerRefusal.frozen {
                oracle.check(.frozen, of: amount, from: balance, of: customer)
            }
        }

        /// Returns the present balance of a customer, and the lowest one after a refund.
        private func balances(of customer: CustomerID, in app: AppServices) async throws -> (present: Int64, lowest: Int64) {
            try await app.storage.read(app.id) { records in
                let lowest: Int64? =
                    try #require(records as? SQLTransaction).first(
                        "SELECT min(balance) AS lowest FROM ledger_posting WHERE app = ?1 AND customer = ? AND kind = 'refund'",
                        customer.rawValue
                    ) { try $0["lowest"] } ?? nil
                return (try records.balance(of: customer, in: .credits).amount, lowest ?? 0)
            }
        }
    }

    static func deliver(_ message: StoreHistory.Message, to app: AppServices) async throws {
        switch message {
        case .notification(let signed):
            _ = try await app.notifications.accept(WireJSON.encode(NotificationRequest(signedPayload: signed)), .silent)
        case .transaction(let signed): try await submit(PurchaseProofInput(signedTransaction: signed), to: app)
        case .receipt(let receipt): try await submit(PurchaseProofInput(receipt: receipt), to: app)
        case .claim(let signed, let customer): try await submit(PurchaseProofInput(signedTransaction: signed), for: customer, to: app)
        }
    }

    /// Uploads a proof for a customer, or for none, so that the `appAccountToken` attributes the purchase.
    private static func submit(_ proof: PurchaseProofInput, for customer: CustomerID? = nil, to app: AppServices) async throws {
        let request = SubmitPurchasesRequest(proofs: [proof])
        let reply = try await app.purchases.submit(request, for: customer.map { .id($0) }, isBackend: true)
        #expect(reply.results.map(\.status) == [.verified])
    }

    private static func outcomes(of app: AppServices, for history: StoreHistory) async throws -> PurchaseOutcomes {
        let expected = history.expected
        var outcomes = try await app.storage.read(app.id) { records in
            var outcomes = PurchaseOutcomes()
            for id in expected.purchases.keys {
                outcomes.purchases[id] = try records.purchase(id).map {
                    PurchaseOutcomes.Purchase($0.timeline.entitlement(at: history.end), at: history.end)
                }
            }
            for customer in expected.balances.keys {
                outcomes.balances[customer] = try records.balance(of: customer, in: .credits).amount
            }
            return outcomes
        }
        for customer in expected.balances.keys {
            let reply = try await app.entitlements.list(of: .id(customer), at: nil, withEvidence: false)
            let active = reply.entitlements.filter(\.isActive).map { ProductID($0.name.rawValue) }
            if !active.isEmpty { outcomes.products[customer] = Set(active) }
        }
        return outcomes
    }
}
