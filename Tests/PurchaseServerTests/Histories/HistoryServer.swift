import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

/// A server in this process with a database in memory, which receives the messages of a history.
enum HistoryServer {
    /// Delivers messages to a new server, and returns the outcome at the end of the history.
    static func outcomes(of history: StoreHistory, receiving messages: [StoreHistory.Message]) async throws -> PurchaseOutcomes {
        try await TemporaryFolder.with { folder in
            let configuration = PurchaseServerConfiguration(
                apps: [
                    AppConfiguration(
                        bundleID: .test, products: HistoryCatalog.serverProducts, content: .folder(folder.url.path()),
                        receiptConfirmation: .off)
                ],
                environment: .sandbox, roots: history.roots, database: .memory)
            let server = try await PurchaseServer(configuration: configuration, clock: ManualClock(history.end), logger: .silent)
            let app = try #require(server.apps[.test])
            try await server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.router) { client in
                for message in messages { try await deliver(message, to: app, client) }
            }
            let audit = try await app.ledger.audit()
            #expect(audit.unbalanced.isEmpty, "\(history.transcript)")
            return try await outcomes(of: app, for: history)
        }
    }

    private static func deliver(_ message: StoreHistory.Message, to app: AppServices, _ client: any TestClientProtocol) async throws {
        switch message {
        case .notification(let signed):
            let body = ByteBuffer(data: try WireJSON.encode(NotificationRequest(signedPayload: signed)))
            let response = try await client.executeRequest(
                uri: ServerEndpoints.notifications.path(), method: .post, headers: [.contentType: "application/json"], body: body)
            #expect(response.status == .ok, "\(String(buffer: response.body))")
        case .transaction(let signed): try await submit(PurchaseProofInput(signedTransaction: signed), to: app)
        case .receipt(let receipt): try await submit(PurchaseProofInput(receipt: receipt), to: app)
        }
    }

    /// Uploads a proof for no customer, so that the `appAccountToken` attributes the purchase.
    private static func submit(_ proof: PurchaseProofInput, to app: AppServices) async throws {
        let reply = try await app.purchases.submit(SubmitPurchasesRequest(proofs: [proof]), for: nil, isBackend: true)
        #expect(reply.results.map(\.status) == [.verified])
    }

    private static func outcomes(of app: AppServices, for history: StoreHistory) async throws -> PurchaseOutcomes {
        let expected = history.expected
        var outcomes = try await app.storage.read(app.id) { records in
            var outcomes = PurchaseOutcomes()
            for id in expected.purchases.keys {
                outcomes.purchases[id] = try records.purchase(id).map { PurchaseOutcomes.Purchase($0.entitlement, at: history.end) }
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

extension PurchaseOutcomes.Purchase {
    /// Creates the outcome of an entitlement at a date.
    init(_ entitlement: Entitlement, at date: Timestamp) {
        let access = entitlement.access(at: date)
        // Only the end of an access counts.
        self.init(
            productID: entitlement.productID, state: access.state, until: access.isGranted ? access.until : nil,
            renewsTo: access.isGranted ? entitlement.renewsTo : nil)
    }
}
