import Foundation
import FoundationExtras
import ProcessTestSupport
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

/// Tests that kill `tillroll store up --folder` during purchases.
@Suite struct StoreKillTests {
    /// The requests and replies of all processes of the store, shared between tasks.
    private final class AnsweredPurchases: Sendable {
        let answered = Mutex(Answered())
    }

    /// The requests to the store and the replies.
    private struct Answered {
        /// The requested payments.
        var requested: Set<PaymentID> = []
        /// The transactions of the answered payments.
        var bought: [PaymentID: TransactionID] = [:]
        /// Transactions with a request to finish.
        var finishing: Set<TransactionID> = []
        /// Transactions with a reply to the request to finish.
        var finished: Set<TransactionID> = []
    }

    private static func transaction(_ signed: SignedTransaction) throws -> TransactionPayload {
        try WireJSON.decode(TransactionPayload.self, from: Data(UnverifiedJWS(signed.compact).payload))
    }

    /// Buys products until the store does not answer, and finishes every second transaction.
    private static func shop(
        on device: SignedInDevice, _ purchases: AnsweredPurchases, _ progress: AsyncStream<Void>.Continuation
    ) async {
        var isEven = false
        while true {
            let payment = PaymentID(UUID())
            purchases.answered.withLock { _ = $0.requested.insert(payment) }
            guard let id = try? await buy(payment, on: device) else { return }
            purchases.answered.withLock { $0.bought[payment] = id }
            progress.yield()
            isEven.toggle()
            guard isEven else { continue }
            purchases.answered.withLock { _ = $0.finishing.insert(id) }
            guard (try? await device.finish(id)) != nil else { return }
            purchases.answered.withLock { _ = $0.finished.insert(id) }
        }
    }

    private static func buy(_ payment: PaymentID, on device: SignedInDevice) async throws -> TransactionID {
        try transaction(try await device.signedPurchase(RunningStore.seeds, payment: payment)).transactionId
    }

    @Test func `SIGKILLs at many points lose no answered request, charge nothing twice and lose no notification`() async throws {
        let server = ReceivingServer()
        try await server.listen { address in
            try await CommandFolder.with { command in
                let options = ["--folder", command.folder.file("shop").path, "--notify", address]
                let purchases = AnsweredPurchases()
                var token: String?
                for moment in [0, 1, 2, 3, 5, 8, 13, 21] {
                    let store = try await RunningStore.start(options, in: command)
                    if token == nil {
                        // Each payment is a purchase of its own, although half of the transactions stay unfinished.
                        var app = AppRequest()
                        app.restoresUnfinishedConsumables = false
                        _ = try await store.client.call(ControlEndpoints.setApp, app, ["bundle": RunningStore.bundleID.rawValue])
                        token = try await store.client.signIn(app: RunningStore.bundleID).token
                    }
                    let device = SignedInDevice(store: store.client, token: try #require(token))
                    let (answers, progress) = AsyncStream.makeStream(of: Void.self)
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<4 { group.addTask { await Self.shop(on: device, purchases, progress) } }
                        var left = moment
                        if left > 0 {
                            for await _ in answers
                            where {
                                left -= 1
                                return left <= 0
                            }() { break }
                        }
                        // The kill interrupts the other requests.
                        await store.process.kill()
                    }
                }
                try await Self.check(purchases.answered.withLock { $0 }, server, try #require(token), options, command)
            }
        }
    }

    /// Checks the state of a restarted store against the requests and replies before the kills.
    private static func check(
        _ answered: Answered, _ server: ReceivingServer, _ token: String, _ options: [String], _ command: CommandFolder
    ) async throws {
        let store = try await RunningStore.start(options, in: command)
        let device = SignedInDevice(store: store.client, token: token)
        #expect(answered.bought.count >= 50)
        let before = try await store.client.call(ControlEndpoints.transactions, Empty(), ["account": device.account.rawValue]).summaries
        let known = Dictionary(grouping: before, by: \.payload.transactionId)
        for id in answered.bought.values {
            let rows = known[id] ?? []
            #expect(rows.count == 1)
            let isFinished = rows.first?.finishedDate != nil
            #expect(isFinished == answered.finished.contains(id) || answered.finishing.contains(id))
        }
        // A repeated payment, answered before or not, has one transaction and one charge.
        for payment in answered.requested {
            let id = try await buy(payment, on: device)
            #expect(answered.bought[payment] ?? id == id)
        }
        let charges = try await store.client.charges()
        #expect(charges.count == answered.requested.count)
        #expect(Set(charges.map(\.transactionID)).count == charges.count)
        // The next attempt sends the pending notifications; each transaction has one notification.
        try await store.client.advance(seconds: 2 * 3_600)
        var notified: [TransactionID: Set<String>] = [:]
        for notification in server.received {
            guard let id = try ReceivingServer.transaction(of: notification)?.transactionId else { continue }
            notified[id, default: []].insert(notification.notificationUUID)
        }
        #expect(Set(notified.keys) == Set(charges.map(\.transactionID)))
        #expect(notified.values.allSatisfy { $0.count == 1 })
        #expect(await store.process.terminate() == 0)
    }
}
