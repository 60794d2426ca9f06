import Foundation
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireClient

/// Delivers a purchase of the sample app: sends the transaction to the server, downloads the content, and records both in the vault.
///
/// A repeated delivery has no further effect, because server and vault record each transaction identifier once.
struct MonkeyDelivery: Delivery {
    let server: ShopServer
    let downloader: ContentDownloader
    let vault: Vault
    let afterDelivery: @Sendable (ProductID) async -> Void
    let downloads: DownloadLog

    func deliver(_ purchase: Purchase) async throws(DeliveryError) {
        let submitted: SubmittedPurchase
        let products: [ServerProduct]
        do {
            submitted = try await server.submit(purchase.source.original)
            products = try await server.call(ServerEndpoints.products, Empty()).products
        } catch {
            throw error.isRetryable ? .later(error.description) : .refused(error.description)
        }
        switch submitted.fulfillment {
        case .complete: break
        case .unattributed, .unknownProduct: throw .later("The server can't assign the purchase yet.")
        case .otherCustomer, .transferLimit: throw .refused("The purchase belongs to another customer of the app.")
        }
        if products.contains(where: { $0.id == purchase.productID && $0.file != nil }) {
            try await fetchContent(of: purchase.productID)
        }
        do {
            // A restored purchase adds no credits to the vault. The server keeps the balance of credits.
            try await vault.record(purchase.source, credits: purchase.isRestored ? 0 : Int(clamping: submitted.credits))
        } catch {
            throw .later(error.description)
        }
        await afterDelivery(purchase.productID)
    }

    private func fetchContent(of product: ProductID) async throws(DeliveryError) {
        do {
            let content = try await downloader.fetch(product) { downloads.append($0) }
            try await vault.install(content, of: product)
        } catch let error as ContentError {
            if case .refused(_, let message) = error { throw .refused(message) }
            throw .later(error.description)
        } catch {
            throw .later("\(error)")
        }
    }
}
