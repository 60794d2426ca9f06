import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import Testing

/// A device with a signed-in account.
struct Phone: Sendable {
    let harness: StoreHarness
    let account: AccountID
    let device: DeviceID
    let token: String

    func purchase(
        _ product: ProductID, _ quantity: Int = 1, payment: PaymentID = PaymentID(UUID()), customer: CustomerID? = nil
    ) async throws -> PurchaseReply {
        let request = PurchaseRequest(payment: payment, productID: product, quantity: quantity, appAccountToken: customer)
        return try await harness.call(DeviceEndpoints.purchase, request, token: token)
    }

    /// Buys a product and returns the payload of the transaction; throws ``NotPurchased`` if the purchase does not complete.
    func buy(
        _ product: ProductID, _ quantity: Int = 1, payment: PaymentID = PaymentID(UUID()), customer: CustomerID? = nil
    ) async throws -> TransactionPayload {
        guard case .purchased(let signed, _) = try await purchase(product, quantity, payment: payment, customer: customer) else {
            throw NotPurchased()
        }
        return try await harness.verifier.verify(signed).payload
    }

    func unfinished() async throws -> UnfinishedReply {
        try await harness.call(DeviceEndpoints.unfinished, UnfinishedRequest(), token: token)
    }

    func unfinishedTransactions() async throws -> [TransactionPayload] {
        var payloads: [TransactionPayload] = []
        for element in try await unfinished().transactions {
            payloads.append(try await harness.verifier.verify(element.signedTransaction).payload)
        }
        return payloads
    }

    func finish(_ transaction: TransactionID) async throws {
        _ = try await harness.call(DeviceEndpoints.finish, FinishRequest(transactionID: transaction), token: token)
    }

    /// Restores purchases and returns the new transactions with their originals.
    func restore(_ request: UUID = UUID(), customer: CustomerID? = nil) async throws -> [(
        restored: TransactionPayload, original: TransactionPayload
    )] {
        let reply = try await harness.call(
            DeviceEndpoints.restore, RestoreRequest(requestID: request, appAccountToken: customer), token: token)
        var pairs: [(TransactionPayload, TransactionPayload)] = []
        for element in reply.transactions {
            let original = try #require(element.restoredFrom)
            pairs.append(
                (try await harness.verifier.verify(element.signedTransaction).payload, try await harness.verifier.verify(original).payload))
        }
        return pairs
    }

    func receipt(expired: Bool = false) async throws -> Data {
        try await harness.call(DeviceEndpoints.receipt, ReceiptRequest(expired: expired), token: token).receipt
    }

    struct NotPurchased: Error {}
}
