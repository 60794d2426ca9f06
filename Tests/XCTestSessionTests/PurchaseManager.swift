import Foundation
import StoreKit

/// A typical singleton that listens for transaction updates in a detached task from its creation.
@MainActor final class PurchaseManager {
    static let shared = PurchaseManager()

    private(set) var products: [Product] = []
    private(set) var owned: Set<String> = []
    var onUpdate: ((Transaction) -> Void)?
    private var updates: Task<Void, Never>?

    private init() {
        updates = Task.detached {
            for await result in Transaction.updates {
                guard case .verified(let transaction) = result else { continue }
                await self.deliver(transaction)
            }
        }
    }

    func load(_ ids: [String]) async throws {
        products = try await Product.products(for: ids)
    }

    func buy(_ id: String) async throws -> Product.PurchaseResult? {
        guard let product = products.first(where: { $0.id == id }) else { return nil }
        let result = try await product.purchase()
        if case .success(.verified(let transaction)) = result {
            await refresh()
            await transaction.finish()
        }
        return result
    }

    func refresh() async {
        var owned: Set<String> = []
        for await case .verified(let transaction) in Transaction.currentEntitlements {
            owned.insert(transaction.productID)
        }
        self.owned = owned
    }

    private func deliver(_ transaction: Transaction) async {
        await refresh()
        await transaction.finish()
        onUpdate?(transaction)
    }
}
