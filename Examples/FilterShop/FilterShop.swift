import Foundation
import StoreKit

/// Sells photo filters, as an app does with StoreKit 2.
@MainActor
final class FilterShop {
    private(set) var products: [Product] = []
    private(set) var owned: Set<String> = []
    private var updates: Task<Void, Never>?

    /// Listens before anything else: what earlier launches left unfinished comes at once.
    func open() {
        updates = Task { [weak self] in
            for await result in Transaction.updates {
                await self?.deliver(result)
            }
        }
    }

    func load(_ identifiers: [String]) async throws {
        products = try await Product.products(for: identifiers).sorted { $0.price < $1.price }
    }

    func buy(_ product: Product) async throws -> String {
        switch try await product.purchase() {
        case .success(let result):
            await deliver(result)
            return "Bought."
        case .userCancelled:
            return "Cancelled."
        case .pending:
            return "Somebody has to allow it first."
        @unknown default:
            return "Nobody knows."
        }
    }

    func refresh() async {
        var owned: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard case .verified(let transaction) = result else { continue }
            owned.insert(transaction.productID)
        }
        self.owned = owned
    }

    private func deliver(_ result: VerificationResult<Transaction>) async {
        switch result {
        case .verified(let transaction):
            await refresh()
            await transaction.finish()
        case .unverified(let transaction, let error):
            print("\(transaction.productID) is not to be trusted: \(error.localizedDescription)")
        }
    }
}
