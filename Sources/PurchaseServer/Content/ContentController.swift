import Hummingbird
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

/// The endpoints for content: one issues a download token for a receipt, one sends the file for a download token.
struct ContentController: Sendable {
    let authority: ReceiptAuthority
    let catalog: Catalog
    let folder: ContentFolder
    let office: TicketOffice
    let app: BundleID
    let storage: any PurchaseStorage
    let recorder: PurchaseRecorder
    let clock: any WallClock

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.contentTicket) { body, _, context in
            try await ticket(for: product(context), receipt: [UInt8](body.receipt))
        }
        // The response is not JSON, so the route is not mounted as an endpoint.
        router.get(RouterPath(ServerEndpoints.content.template)) { request, context in
            let product = try product(context)
            let ticket = request.uri.queryParameters.get("ticket") ?? ""
            let claims = try office.open(ticket, for: product.id, at: clock.now)
            // A refund of the purchase invalidates the download token at once.
            guard try await entitlement(of: claims.purchase)?.state != .revoked else {
                throw ContentRefusal.refunded(product.id)
            }
            return Response.content(try await folder.file(of: product), for: request, on: context.eventLoop)
        }
    }

    private func product(_ context: some RequestContext) throws -> ServerProduct {
        let id = ProductID(try context.parameter("product"))
        guard let product = catalog[id], product.file != nil else { throw ContentRefusal.noFile(id) }
        return product
    }

    private func ticket(for product: ServerProduct, receipt bytes: [UInt8]) async throws -> ContentTicket {
        let confirmed: ConfirmedReceipt
        do throws(VerificationFailure) {
            confirmed = try await authority.verify(bytes)
        } catch { throw ContentRefusal.receiptNotVerified(error) }
        let now = clock.now
        let purchase = try await purchase(of: product.id, in: confirmed.receipt, takenBack: confirmed.takenBack, at: now)
        let file = try await folder.file(of: product)
        let event = VerifiedEvent(purchase, in: confirmed.receipt)
        try await storage.write(app) { [recorder] records in _ = try recorder.record(event, in: records) }
        let expires = now.adding(seconds: TicketOffice.lifetimeSeconds)
        let claims = TicketClaims(product: product.id, purchase: purchase.originalTransactionID, expires: expires)
        return ContentTicket(
            ticket: try office.issue(claims),
            file: product.file ?? "",
            length: file.length,
            sha256: file.sha256,
            expires: expires,
            verification: confirmed.asked
        )
    }

    private func entitlement(of purchase: TransactionID) async throws -> Entitlement? {
        try await storage.read(app) { try $0.purchase(purchase)?.entitlement }
    }

    /// Returns the purchase in a receipt that currently gives access to a product.
    ///
    /// - Throws: ``ContentRefusal`` if no purchase gives access: refunded, ended, or not purchased.
    private func purchase(
        of product: ProductID, in receipt: VerifiedReceipt, takenBack: TakenBack, at now: Timestamp
    ) async throws -> ReceiptPurchase {
        var refusal = ContentRefusal.notBought(product)
        for purchase in receipt.payload.purchases where purchase.productID == product {
            let entitlement = try await entitlement(of: purchase.originalTransactionID)
            if purchase.cancellationDate != nil || takenBack.contains(purchase) || entitlement?.state == .revoked {
                refusal = .refunded(product)
            } else if let expires = purchase.expiresDate, expires <= now, entitlement?.access(at: now).isGranted != true {
                refusal = refusal == .notBought(product) ? .ended(product) : refusal
            } else {
                return purchase
            }
        }
        throw refusal
    }
}
