import PurchaseKit
import PurchaseModel
import ServerProtocol
import Synchronization
import Wire

/// The server's calls, with steps before and after those that change something, and with a network that can be lost.
final class CutService: PurchaseService {
    private let service: any PurchaseService
    private let points: KillPoints
    private let hasNetwork = Mutex(true)

    init(_ service: any PurchaseService, points: KillPoints) {
        self.service = service
        self.points = points
    }

    /// Loses the network, or finds it again.
    func setNetwork(_ isAvailable: Bool) {
        hasNetwork.withLock { $0 = isAvailable }
    }

    private func requireNetwork() throws(WireClientError) {
        guard hasNetwork.withLock({ $0 }) else { throw .unreachable }
    }

    func submit(_ transactions: [SignedTransaction]) async throws(WireClientError) -> SubmitPurchasesReply {
        try requireNetwork()
        points.reach("server submitting")
        let reply = try await service.submit(transactions)
        points.reach("server submitted")
        return reply
    }

    func entitlements() async throws(WireClientError) -> EntitlementsReply {
        try requireNetwork()
        return try await service.entitlements()
    }

    func balances() async throws(WireClientError) -> BalancesReply {
        try requireNetwork()
        return try await service.balances()
    }

    func debit(_ request: DebitRequest) async throws(WireClientError) -> LedgerReply {
        try requireNetwork()
        points.reach("server debiting")
        let reply: LedgerReply
        do throws(WireClientError) {
            reply = try await service.debit(request)
        } catch {
            points.reach("server refused")
            throw error
        }
        points.reach("server debited")
        return reply
    }

    func lease(_ request: LeaseRequest) async throws(WireClientError) -> LeaseReply {
        try requireNetwork()
        return try await service.lease(request)
    }

    func products() async throws(WireClientError) -> ServerProductsReply {
        try requireNetwork()
        return try await service.products()
    }
}
