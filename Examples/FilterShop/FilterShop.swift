import Foundation
import StoreKit

/// A shop that sells photo filters with StoreKit 2.
@MainActor
final class FilterShop {
    private(set) var products: [Product] = []
    private(set) var owned: Set<String> = []
    private var updates: Task<Void, Never>?

    /// Starts listening for transaction updates.
    ///
    /// Call this method first at launch: unfinished transactions of earlier launches are delivered immediately.
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
            return "The purchase is pending approval."
        @unknown default:
            return "Unknown purchase result."
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
            print("\(transaction.productID) failed verification: \(error.localizedDescription)")
        }
    }
}
