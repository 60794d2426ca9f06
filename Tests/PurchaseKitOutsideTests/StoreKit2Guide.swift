import Foundation
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit

@MainActor final class FilterStore {
    private(set) var owned: Set<String> = []
    private var updates: Task<Void, Never>?

    func start() {
        updates = Task { [weak self] in
            for await result in Transaction.updates { await self?.deliver(result) }
        }
    }

    func refresh() async {
        var owned: Set<String> = []
        for await case .verified(let transaction) in Transaction.currentEntitlements { owned.insert(transaction.productID) }
        self.owned = owned
    }

    func buy(_ product: Product) async throws {
        switch try await product.purchase() {
        case .success(let result): await deliver(result)
        case .pending, .userCancelled: break
        @unknown default: break
        }
    }

    private func deliver(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        owned.insert(transaction.productID)
        await transaction.finish()
    }
}

@MainActor func openFilterStore(vault: Vault, verifier: SignedDataVerifier) -> Purchases {
    let configuration = PurchasesConfiguration(
        products: .builtIn(["com.example.sepia", "com.example.magazine"]),
        fulfillments: ["com.example.sepia": .unlock("sepia"), "com.example.magazine": .unlock("magazine")],
        vault: vault, verifier: verifier)
    let purchases = Purchases(configuration)
    purchases.start()
    return purchases
}

/// Returns the title of the button of the filter; nil to show no button.
func sepiaButton(_ state: PurchasesState) -> String? {
    switch state.status(of: "sepia") {
    case .unknown: nil
    case .none: state.product("com.example.sepia").map { "Buy for \($0.displayPrice)" }
    case .owned: "Apply"
    }
}

/// Returns the line about the subscription in the settings of the app.
func magazineLine(_ state: PurchasesState) -> String {
    guard let magazine = state.entitlements["magazine"] else { return "No subscription" }
    return switch magazine.state {
    case .gracePeriod, .billingRetry: "The payment was declined"
    case .revoked: "Refunded"
    default: magazine.isActive ? (magazine.renewsTo == nil ? "Ends at the end of the period" : "Renews") : "Expired"
    }
}

/// Returns the message for an event that no call of the app waits for.
func message(about event: PurchaseEvent) -> String? {
    switch event {
    case .delivered(let purchase, isExpected: false): "\(purchase.productID) was delivered."
    case .revoked(let product, _): "\(product) was refunded."
    default: nil
    }
}
