import Foundation
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit

/// The calls of the app's backend that the kit needs.
protocol Backend: Sendable {
    /// Returns the credentials of the customer who is signed in; after a refusal, the backend requests a new customer token.
    func credentials(isRenewal: Bool) async throws -> ServerCredentials
}

@MainActor func openPurchases(
    of customer: CustomerID, at serverURL: HTTPURL, _ backend: any Backend, vault: Vault, verifier: SignedDataVerifier
) -> Purchases {
    let server = ServerConnection(serverURL: serverURL, deviceVerificationID: AppStore.deviceVerificationID) { request in
        try await backend.credentials(isRenewal: request == .refused)
    }
    let configuration = PurchasesConfiguration(
        products: .server, fulfillments: proFulfillments, vault: vault, verifier: verifier, server: server, customer: customer)
    let purchases = Purchases(configuration)
    purchases.start()
    return purchases
}

let proFulfillments: [ProductID: Fulfillment] = [
    "com.example.magazine": .unlock("pro"),
    "com.example.coins": .credit("coins", 5),
]

/// Buys the first product of the list, and returns whether the customer has `pro` now.
@MainActor func buyFirst(from purchases: Purchases) async -> Bool {
    guard let product = purchases.state.products.first else { return false }
    guard case .purchased(_, .delivered) = await purchases.buy(product.id) else { return false }
    return purchases.state.status(of: "pro").isOwned
}

@MainActor final class ProModel {
    private(set) var status = EntitlementStatus.unknown

    func observe(_ purchases: Purchases) async {
        for await state in purchases.states {
            status = state.status(of: "pro")
        }
    }
}

/// Restores everything that the customer owns, and returns the gained products.
@MainActor func restoreAll(_ purchases: Purchases) async -> [ProductID] {
    guard case .completed(let difference) = await purchases.restore(choose: { offered in Set(offered.map(\.id)) }) else { return [] }
    return difference.gained
}

/// Spends coins once for each order, and returns the remaining coins.
@MainActor func spendCoins(_ amount: Int64, for order: String, from purchases: Purchases) async throws(DebitError) -> Int64 {
    _ = try await purchases.debit(amount, of: "coins", idempotencyKey: order)
    return purchases.state.balance(of: "coins")
}
