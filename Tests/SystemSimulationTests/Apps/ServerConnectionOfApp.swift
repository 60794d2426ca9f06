import Foundation
import FoundationExtras
import HTTPTypes
import PurchaseKit
import PurchaseModel
import ServerProtocol
import Wire

/// The calls of an app session to the developer's server, over the simulated network.
struct ServerConnectionOfApp: PurchaseService {
    let server: SimulatedServer
    let network: SimulatedNetwork
    let link: SimulatedNetwork.Link
    let customer: CustomerID
    let deviceVerificationID: UUID?
    let fuse: SessionFuse
    let acknowledgments: Acknowledgments
    let plantedFault: PlantedFault?

    func submit(_ transactions: [SignedTransaction]) async throws(WireClientError) -> SubmitPurchasesReply {
        let request = SubmitPurchasesRequest(
            proofs: transactions.map { PurchaseProofInput(signedTransaction: $0) }, deviceVerificationID: deviceVerificationID)
        let reply = try await call(ServerEndpoints.purchases, request)
        let complete = reply.results.flatMap(\.purchases).filter { $0.fulfillment == .complete }.map(\.transactionID)
        acknowledgments.change { $0.submissions.formUnion(complete) }
        return reply
    }

    func entitlements() async throws(WireClientError) -> EntitlementsReply {
        try await call(ServerEndpoints.entitlements, Empty(), query: ["include": "evidence"])
    }

    func balances() async throws(WireClientError) -> BalancesReply { try await call(ServerEndpoints.balances, Empty()) }

    func debit(_ request: DebitRequest) async throws(WireClientError) -> LedgerReply {
        var sent = request
        if plantedFault == .newKeyForRepeatedDebit { sent.idempotencyKey += " \(UUID())" }
        let reply = try await call(ServerEndpoints.debit, sent)
        acknowledgments.change { _ = $0.acknowledgedDebits.insert(sent.idempotencyKey) }
        return reply
    }

    func lease(_ request: LeaseRequest) async throws(WireClientError) -> LeaseReply { try await call(ServerEndpoints.lease, request) }

    func products() async throws(WireClientError) -> ServerProductsReply { try await call(ServerEndpoints.products, Empty()) }

    private func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, query: [String: String] = [:]
    ) async throws(WireClientError) -> Response {
        guard !fuse.step(), let method = HTTPRequest.Method(rawValue: endpoint.method.rawValue) else { throw .unreachable }
        let uri = endpoint.path([:]) + PathTemplate.query(query)
        let reply: (status: Int, body: Data)
        do {
            let content = endpoint.method == .post ? try WireJSON.encode(body) : nil
            let headers = server.headers(of: customer)
            reply = try await network.carry(on: link) { [server] in try await server.send(method, uri, headers, content) }
        } catch {
            throw .unreachable
        }
        guard !fuse.step() else { throw .unreachable }
        guard (200..<300).contains(reply.status) else {
            guard let error = try? WireJSON.decode(WireError.self, from: reply.body) else { throw .invalidResponse(status: reply.status) }
            throw .refused(status: reply.status, error)
        }
        guard let response = try? WireJSON.decode(Response.self, from: reply.body) else { throw .invalidResponse(status: reply.status) }
        return response
    }
}
