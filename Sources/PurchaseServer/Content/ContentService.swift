import PurchaseModel
import PurchaseProtocol

/// Decides who may download the content of which product.
struct ContentService: Sendable {
    let app: BundleID
    let storage: any PurchaseStorage
    let catalog: any CatalogSource
    let folder: ContentFolder
    let tokens: DownloadTokenIssuer
    let clock: any WallClock

    /// Issues a download token to a customer with access to a product.
    ///
    /// - Throws: ``ContentRefusal`` if no purchase of the customer gives access: refunded, ended, or not purchased.
    func issueToken(for id: ProductID, to reference: CustomerReference) async throws -> DownloadToken {
        let product = try product(id)
        let now = clock.now
        let (customer, purchase) = try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else { throw ContentRefusal.notBought(id) }
            let purchases = try records.purchases(of: customer).map(\.entitlement).filter { $0.productID == id }
            return (customer, try Self.granting(purchases, product, at: now))
        }
        let file = try await folder.file(of: product)
        let expires = now.adding(seconds: DownloadTokenIssuer.lifetimeSeconds)
        let claims = DownloadClaims(product: id, customer: customer, purchase: purchase, expires: expires)
        return DownloadToken(
            token: try tokens.issue(claims), file: product.file ?? "", length: file.length, sha256: file.sha256, expires: expires)
    }

    /// Verifies a download token, and returns the file of its product.
    ///
    /// - Throws: ``ContentRefusal`` if the token is not valid, or the customer no longer has the purchase.
    func file(of id: ProductID, token: String) async throws -> ContentFile {
        let product = try product(id)
        let claims = try tokens.verify(token, for: id, at: clock.now)
        try await storage.read(app) { records in
            let customer = try records.current(claims.customer)
            guard let purchase = try records.purchase(claims.purchase) else { throw ContentRefusal.tokenRefused }
            // A refund or a transfer of the purchase invalidates the download token at once.
            guard purchase.entitlement.state != .revoked else { throw ContentRefusal.refunded(id) }
            guard purchase.customer == customer || purchase.sharedWith.contains(customer) else { throw ContentRefusal.notBought(id) }
        }
        return try await folder.file(of: product)
    }

    private func product(_ id: ProductID) throws(ContentRefusal) -> ServerProduct {
        guard let product = catalog.catalog[id], product.file != nil else { throw .noFile(id) }
        return product
    }

    /// Returns the first purchase that gives access to a product.
    private static func granting(
        _ purchases: [Entitlement], _ product: ServerProduct, at now: Timestamp
    ) throws(ContentRefusal) -> TransactionID {
        var refusal = ContentRefusal.notBought(product.id)
        for purchase in purchases {
            if purchase.access(at: now, nonRenewingDuration: product.duration).isGranted { return purchase.originalTransactionID }
            if purchase.state == .revoked {
                refusal = .refunded(product.id)
            } else if refusal == .notBought(product.id) {
                refusal = .ended(product.id)
            }
        }
        throw refusal
    }
}
