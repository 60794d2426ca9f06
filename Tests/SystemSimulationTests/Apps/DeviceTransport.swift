import Foundation
import FoundationExtras
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import StoreProtocol
import Wire

/// The connection of an app session's device to the store, over the simulated network.
///
/// It notes which payments reach the store, and which transactions the store acknowledges.
struct DeviceTransport: StoreTransport {
    let index: Int
    let account: Int
    let network: SimulatedNetwork
    let store: any StoreTransport
    let verifier: SignedDataVerifier
    let fuse: SessionFuse
    let acknowledgments: Acknowledgments

    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        guard !fuse.hasEnded else { throw .unreachable }
        let isPurchase = request.path == DeviceEndpoints.purchase.template
        do {
            let response = try await network.carry(on: .store(device: index)) {
                if isPurchase { note(request) }
                return try await store.send(request)
            }
            guard !fuse.hasEnded else { throw StoreTransportError.unreachable }
            if isPurchase { await note(response) }
            return response
        } catch {
            throw .unreachable
        }
    }

    private func note(_ request: StoreRequest) {
        guard let body = request.body, let purchase = try? WireJSON.decode(PurchaseRequest.self, from: body) else { return }
        acknowledgments.change {
            $0.payments[purchase.payment.rawValue] = Acknowledgments.Payment(account: account, product: purchase.productID)
        }
    }

    private func note(_ response: StoreResponse) async {
        guard response.status == 200, let reply = try? WireJSON.decode(PurchaseReply.self, from: response.body),
            case .purchased(let signed, _) = reply, let transaction = try? await verifier.verify(signed)
        else { return }
        acknowledgments.change { _ = $0.transactions.insert(transaction.payload.transactionId) }
    }
}
