import ContentStorage
import Foundation
import Logging
import PurchaseModel
import PurchaseStorage
import ServerProtocol

/// Checks the access of a customer to the content of a product, issues download tokens, and limits the downloads.
///
/// The access follows from the customer's recorded purchases, so a copied receipt gives no access.
struct PurchasedContentService: Sendable {
    /// The time in seconds for which an issued token counts toward ``tokensPerDay``.
    private static let daySeconds: Int64 = 86_400

    let app: BundleID
    let storage: any PurchaseStorage
    let catalog: any CatalogSource
    /// The service that computes the access that purchases give.
    let entitlements: EntitlementService
    let library: ContentLibrary
    let tokens: DownloadTokenKeys
    /// The maximum number of download tokens for one customer and one purchase in 24 hours.
    let tokensPerDay: Int
    let delivery: DownloadDelivery
    /// The bucket with the content, which creates presigned URLs; nil for content in a folder.
    let bucket: S3Storage?
    let clock: any WallClock
    let limiter = DownloadLimiter()

    /// Creates the service of an app, with the key of download tokens from the app's secrets.
    init(
        _ app: AppConfiguration, of server: ServerResources, _ catalog: CatalogService, _ entitlements: EntitlementService,
        _ secrets: SecretService
    ) async throws {
        self.app = app.bundleID
        storage = server.storage
        self.catalog = catalog
        self.entitlements = entitlements
        clock = server.clock
        tokensPerDay = app.content.tokensPerDay
        delivery = app.content.delivery
        let files: any ContentStorage
        switch app.content.location {
        case .folder(let path): (files, bucket) = (FolderStorage(path: path), nil)
        case .bucket(let configuration):
            let storage = S3Storage(configuration, clock: server.transportClock)
            (files, bucket) = (storage, storage)
        }
        library = ContentLibrary(app: app.bundleID, records: storage, catalog: catalog, storage: files)
        tokens = try await DownloadTokenKeys(secrets)
        await reportMissingFiles(to: server.logger)
    }

    /// Warns the operator about files of the catalog that are missing in the content folder; the method sends no requests to a bucket.
    private func reportMissingFiles(to logger: Logger) async {
        guard bucket == nil else { return }
        for product in catalog.catalog.products {
            guard let name = product.file, let key = try? ContentKey(name) else { continue }
            do { _ = try await library.storage.describe(key) } catch {
                logger.warning("a product's file is missing in the content folder; add the file", metadata: ["product": "\(product.id)"])
            }
        }
    }

    /// Lists the items of a product for a customer with access to the product.
    ///
    /// - Throws: ``ContentRefusal`` if the customer has no purchase of the product, or the purchase was refunded or has ended.
    func items(of id: ProductID, for reference: CustomerReference) async throws -> ContentItemsReply {
        try await checkContent(of: id)
        let product = product(id)
        _ = try await storage.read(app) { [clock] in try self.purchase(of: product, by: reference, at: clock.now, in: $0) }
        return ContentItemsReply(product: id, items: try await library.items(of: id).map(\.reply))
    }

    /// Issues a download token to a customer with access to a product.
    ///
    /// - Throws: ``ContentRefusal`` if no purchase of the customer gives access, or the customer received too many tokens for the purchase.
    func issueToken(for id: ProductID, to reference: CustomerReference) async throws -> DownloadToken {
        try await checkContent(of: id)
        let (product, now, token) = (product(id), clock.now, UUID().uuidString.lowercased())
        // Check the purchase before the items, because the server reads a whole file to compute the manifest of a catalog's file.
        _ = try await storage.read(app) { try self.purchase(of: product, by: reference, at: now, in: $0) }
        let items = try await library.items(of: id)
        guard let first = items.first?.versions.first else { throw ContentRefusal.noContent(id) }
        let (customer, purchase) = try await storage.write(app) { [tokensPerDay] records in
            let (customer, purchase) = try self.purchase(of: product, by: reference, at: now, in: records)
            try Self.count(token, of: customer, for: purchase, limit: tokensPerDay, at: now, in: records)
            return (customer, purchase)
        }
        let expires = now.adding(seconds: DownloadTokenIssuer.lifetimeSeconds)
        let claims = DownloadClaims(id: token, product: id, customer: customer, purchase: purchase, expires: expires)
        return DownloadToken(
            token: try await tokens.current().issue(claims), file: first.fileName, length: first.length, sha256: first.sha256.hexadecimal,
            items: items.map(\.reply), expires: expires)
    }

    /// Records a new token if the customer received fewer than `limit` tokens for the purchase in the last 24 hours.
    private static func count(
        _ token: String, of customer: CustomerID, for purchase: TransactionID, limit: Int, at now: Timestamp,
        in records: any StorageTransaction
    ) throws {
        let start = now.adding(seconds: -daySeconds)
        try records.removeDownloadTokens(issuedUntil: start)
        let dates = try records.downloadTokenDates(of: customer, for: purchase, after: start)
        guard dates.count < limit else {
            // Wait until the oldest of the last `limit` tokens is 24 hours old.
            let oldest = dates[dates.count - limit]
            let wait = oldest.adding(seconds: daySeconds).milliseconds - now.milliseconds
            throw ContentRefusal.tooManyTokens(seconds: Int(clamping: max(1, (wait + 999) / 1_000)))
        }
        try records.insertDownloadToken(token, of: customer, for: purchase, issuedAt: now)
    }

    /// Returns whether the product has content, so that the download routes can distinguish an invalid token from a product without
    /// content.
    func hasContent(_ id: ProductID) async throws -> Bool { try await library.hasContent(id) }

    /// Verifies a download token, and checks that the customer still has the purchase.
    ///
    /// - Throws: ``ContentRefusal`` if the token is not valid, or the purchase was refunded or transferred.
    func claims(of token: String, for id: ProductID) async throws -> DownloadClaims {
        let claims = try await tokens.verify(token, for: id, at: clock.now)
        try await check(claims)
        return claims
    }

    /// Checks that the purchase of a download token was neither refunded nor transferred since the server issued the token.
    func check(_ claims: DownloadClaims) async throws {
        try await storage.read(app) { records in
            let customer = try records.current(claims.customer)
            guard let purchase = try records.purchase(claims.purchase) else { throw ContentRefusal.tokenRefused }
            guard purchase.timeline.entitlement(at: clock.now).state != .revoked else { throw ContentRefusal.refunded(claims.product) }
            if purchase.customer == customer || purchase.sharedWith.contains(customer) { return }
            guard try records.seats(of: customer).contains(where: { $0.team == claims.purchase && $0.isClaimed }) else {
                throw ContentRefusal.notBought(claims.product)
            }
        }
    }

    /// Finds the file that a request selects, and counts the download.
    func download(_ choice: ContentChoice, _ claims: DownloadClaims) async throws -> (file: ContentFile, metered: MeteredDownload) {
        let items = try await library.items(of: claims.product)
        let file = try choice.file(in: items, of: claims.product)
        return (file, try limiter.begin(claims, DownloadLimiter.Allowance(for: items), at: clock.now))
    }

    private func checkContent(of id: ProductID) async throws {
        guard try await library.hasContent(id) else { throw ContentRefusal.noContent(id) }
    }

    /// Returns the catalog's definition of a product; a product outside of the catalog has no duration.
    private func product(_ id: ProductID) -> ServerProduct { catalog.catalog[id] ?? ServerProduct(id: id) }

    /// Returns a customer, and the customer's first purchase that gives access to a product, or the purchase of the customer's team.
    ///
    /// - Throws: ``ContentRefusal`` if no purchase gives access.
    private func purchase(
        of product: ServerProduct, by reference: CustomerReference, at now: Timestamp, in records: any StorageTransaction
    ) throws -> (customer: CustomerID, purchase: TransactionID) {
        guard let customer = try records.customer(reference) else { throw ContentRefusal.notBought(product.id) }
        var refusal = ContentRefusal.notBought(product.id)
        for purchase in try records.purchases(of: customer, product: product.id) where entitlements.counts(purchase) {
            let entitlement = purchase.timeline.entitlement(at: now)
            // Skip a subscription whose current period is for another product, because the period for this product has not begun.
            guard entitlement.productID == product.id else { continue }
            if try entitlements.access(to: purchase, nonRenewingDuration: product.duration, at: now, in: records).isGranted {
                return (customer, purchase.originalTransactionID)
            }
            if entitlement.state == .revoked {
                refusal = .refunded(product.id)
            } else if refusal == .notBought(product.id) {
                refusal = .ended(product.id)
            }
        }
        for seat in try entitlements.seats(of: customer, in: records) where seat.isClaimed {
            let purchase = PurchaseRecord(timeline: seat.timeline)
            guard purchase.timeline.entitlement(at: now).productID == product.id else { continue }
            if try entitlements.access(to: purchase, nonRenewingDuration: product.duration, at: now, in: records).isGranted {
                return (customer, seat.team)
            }
        }
        throw refusal
    }
}
