package import Foundation
package import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
package import StoreProtocol
import Testing
package import Wire

/// A device on which an account is signed in, as the store knows it: the calls of the device API, without an app.
///
/// A ``Phone`` makes these calls with the device of `OpenStoreKit`, which keeps its state in a folder.
package struct SignedInDevice: Sendable {
    /// The store.
    package let store: any StoreClient
    /// The signed-in account.
    package let account: AccountID
    /// The identifier of the device.
    package let device: DeviceID
    /// The token that the store issued for the account and the device.
    package let token: String

    /// The error of a purchase that does not complete.
    package struct NotPurchased: Error {
        /// Creates the error.
        package init() {}
    }

    /// Creates a signed-in device with a token that the store issued before.
    package init(store: any StoreClient, account: AccountID = .test, device: DeviceID = .test, token: String) {
        self.store = store
        self.account = account
        self.device = device
        self.token = token
    }

    /// Calls an endpoint of the device API.
    package func call<Request, Response>(_ endpoint: Endpoint<Request, Response>, _ body: Request) async throws -> Response {
        try await store.call(endpoint, body, token: token)
    }

    /// Requests the purchase of a product.
    package func purchase(
        _ product: ProductID, _ quantity: Int = 1, payment: PaymentID = PaymentID(UUID()), customer: CustomerID? = nil
    ) async throws -> PurchaseReply {
        let request = PurchaseRequest(payment: payment, productID: product, quantity: quantity, appAccountToken: customer)
        return try await call(DeviceEndpoints.purchase, request)
    }

    /// Buys a product and returns the signed transaction; throws ``NotPurchased`` if the purchase does not complete.
    package func signedPurchase(
        _ product: ProductID, _ quantity: Int = 1, payment: PaymentID = PaymentID(UUID()), customer: CustomerID? = nil
    ) async throws -> SignedTransaction {
        guard case .purchased(let signed, _) = try await purchase(product, quantity, payment: payment, customer: customer) else {
            throw NotPurchased()
        }
        return signed
    }

    /// Buys a product and returns the verified payload of the transaction.
    package func buy(
        _ product: ProductID, _ quantity: Int = 1, payment: PaymentID = PaymentID(UUID()), customer: CustomerID? = nil
    ) async throws -> TransactionPayload {
        let signed = try await signedPurchase(product, quantity, payment: payment, customer: customer)
        return try await store.verifier.verify(signed).payload
    }

    /// Fetches the unfinished transactions.
    package func unfinished() async throws -> UnfinishedReply {
        try await call(DeviceEndpoints.unfinished, UnfinishedRequest())
    }

    /// Fetches the unfinished transactions, and returns their verified payloads.
    package func unfinishedTransactions() async throws -> [TransactionPayload] {
        try await store.payloads(unfinished().transactions.map(\.signedTransaction))
    }

    /// Finishes a transaction.
    package func finish(_ transaction: TransactionID) async throws {
        _ = try await call(DeviceEndpoints.finish, FinishRequest(transactionID: transaction))
    }

    /// Restores purchases, and returns the verified payloads of the new transactions with those of their originals.
    package func restore(
        _ request: UUID = UUID(), customer: CustomerID? = nil
    ) async throws -> [(restored: TransactionPayload, original: TransactionPayload)] {
        let reply = try await call(DeviceEndpoints.restore, RestoreRequest(requestID: request, appAccountToken: customer))
        let restored = try await store.payloads(reply.transactions.map(\.signedTransaction))
        let originals = try await store.payloads(reply.transactions.map { try #require($0.restoredFrom) })
        return zip(restored, originals).map { ($0, $1) }
    }

    /// Fetches the receipt.
    package func receipt(expired: Bool = false) async throws -> Data {
        try await call(DeviceEndpoints.receipt, ReceiptRequest(expired: expired)).receipt
    }
}
