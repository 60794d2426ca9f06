import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Synchronization
import Testing
import TillrollTour
import WireClient

/// `tillroll store up --folder`, killed while purchases run.
@Suite struct StoreKillTests {
    /// What the store answered, over all its lives, kept by several tasks at once.
    private final class Memory: Sendable {
        let answered = Mutex(Answered())
    }

    /// What the store answered.
    private struct Answered {
        /// The payments that were asked for.
        var asked: Set<PaymentID> = []
        /// Those that were answered.
        var bought: [PaymentID: TransactionID] = [:]
        /// Transactions that the device began to finish.
        var finishing: Set<TransactionID> = []
        /// Those for which the store said so.
        var finished: Set<TransactionID> = []
    }

    private static func transaction(_ signed: SignedTransaction) throws -> TransactionPayload {
        try WireJSON.decode(TransactionPayload.self, from: Data(UnverifiedJWS(signed.compact).payload))
    }

    /// Buys until nobody answers any more; every second transaction is finished.
    private static func shop(
        at store: WireClient, _ token: String, _ memory: Memory, _ news: AsyncStream<Void>.Continuation
    ) async {
        var isEven = false
        while true {
            let payment = PaymentID(UUID())
            memory.answered.withLock { _ = $0.asked.insert(payment) }
            guard let id = try? await buy(payment, at: store, token) else { return }
            memory.answered.withLock { $0.bought[payment] = id }
            news.yield()
            isEven.toggle()
            guard isEven else { continue }
            memory.answered.withLock { _ = $0.finishing.insert(id) }
            guard (try? await store.call(DeviceEndpoints.finish, FinishRequest(transaction: id), token: token)) != nil else { return }
            memory.answered.withLock { _ = $0.finished.insert(id) }
        }
    }

    private static func buy(_ payment: PaymentID, at store: WireClient, _ token: String) async throws -> TransactionID {
        let request = PurchaseRequest(payment: payment, productID: RunningStore.seeds, quantity: 1, appAccountToken: nil)
        let reply = try await store.call(DeviceEndpoints.purchase, request, token: token)
        guard case .purchased(let signed, _) = reply else { throw WireError(code: "test", message: "not purchased") }
        return try transaction(signed).transactionId
    }

    private static func signIn(at store: WireClient) async throws -> String {
        let request = SignInRequest(
            account: "jane", password: "ladder", device: "00112233-4455-6677-8899-aabbccddeeff", bundleID: RunningStore.bundleID,
            appVersion: "1.0")
        return try await store.call(DeviceEndpoints.signIn, request).token
    }

    @Test func `after SIGKILLs at many moments nothing is lost that was answered, charged twice or left untold`() async throws {
        let server = ReceivingServer()
        try await server.listen { address in
            try await CommandFolder.with { command in
                let options = ["--folder", command.folder.file("shop").path, "--notify", address]
                let memory = Memory()
                var token: String?
                for moment in [0, 1, 2, 3, 5, 8, 13, 21] {
                    let store = try await RunningStore.start(options, in: command)
                    if token == nil {
                        let account = OpenAccountRequest(account: "jane", password: "ladder")
                        _ = try await store.wire.call(ControlEndpoints.openAccount, account)
                        token = try await Self.signIn(at: store.wire)
                    }
                    let (wire, session) = (store.wire, try #require(token))
                    let (answers, news) = AsyncStream.makeStream(of: Void.self)
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<4 { group.addTask { await Self.shop(at: wire, session, memory, news) } }
                        var left = moment
                        if left > 0 {
                            for await _ in answers
                            where {
                                left -= 1
                                return left <= 0
                            }() { break }
                        }
                        // The others are cut off wherever they are.
                        await store.process.kill()
                    }
                }
                try await Self.check(memory.answered.withLock { $0 }, server, try #require(token), options, command)
            }
        }
    }

    /// Looks at what the last life of the store knows of the earlier ones.
    private static func check(
        _ answered: Answered, _ server: ReceivingServer, _ token: String, _ options: [String], _ command: CommandFolder
    ) async throws {
        let store = try await RunningStore.start(options, in: command)
        let jane = ["account": "jane"]
        #expect(answered.bought.count >= 50)
        let before = try await store.wire.call(ControlEndpoints.transactions, Empty(), parameters: jane).summaries
        let known = Dictionary(grouping: before, by: \.payload.transactionId)
        for id in answered.bought.values {
            let rows = known[id] ?? []
            #expect(rows.count == 1)
            let isFinished = rows.first?.finished != nil
            #expect(isFinished == answered.finished.contains(id) || answered.finishing.contains(id))
        }
        // Whoever asks again for any payment, answered or not, gets one transaction for it, and pays once.
        for payment in answered.asked {
            let id = try await buy(payment, at: store.wire, token)
            #expect(answered.bought[payment] ?? id == id)
        }
        let charges = try await store.wire.call(ControlEndpoints.charges, Empty(), parameters: jane).charges
        #expect(charges.count == answered.asked.count)
        #expect(Set(charges.map(\.transaction)).count == charges.count)
        // What could not be sent is sent at the next attempt; each transaction is told of by one notification.
        _ = try await store.wire.call(ControlEndpoints.advance, AdvanceRequest(seconds: 2 * 3_600))
        var told: [TransactionID: Set<String>] = [:]
        for notification in server.received {
            guard let id = try ReceivingServer.transaction(of: notification)?.transactionId else { continue }
            told[id, default: []].insert(notification.notificationUUID)
        }
        #expect(Set(told.keys) == Set(charges.map(\.transaction)))
        #expect(told.values.allSatisfy { $0.count == 1 })
        #expect(await store.process.terminate() == 0)
    }
}
