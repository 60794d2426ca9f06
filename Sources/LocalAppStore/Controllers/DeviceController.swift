import Foundation
import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseProtocol
import WireServer

/// Adds the routes of the device API; see `DeviceEndpoints`.
struct DeviceController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(DeviceEndpoints.signIn) { body, _, context in
            try await context.ledger.signIn(body)
        }
        router.mount(DeviceEndpoints.products) { body, request, context in
            try await products(body, request, context.ledger)
        }
        router.mount(DeviceEndpoints.purchase) { body, request, context in
            try await context.ledger.buy(body, by: try await context.ledger.session(of: request))
        }
        router.mount(DeviceEndpoints.unfinished) { body, request, context in
            let session = try await context.ledger.session(of: request, running: body.appVersion)
            return try await context.ledger.unfinished(of: session, after: body.paginationToken)
        }
        router.mount(DeviceEndpoints.finish) { body, request, context in
            try await context.ledger.finish(body, of: try await context.ledger.session(of: request))
            return Empty()
        }
        router.mount(DeviceEndpoints.restore) { body, request, context in
            try await context.ledger.restore(body, by: try await context.ledger.session(of: request))
        }
        router.mount(DeviceEndpoints.receipt) { body, request, context in
            let session = try await context.ledger.session(of: request, running: body.appVersion)
            return ReceiptReply(receipt: try await context.ledger.receipt(for: session, body))
        }
        addHistory(to: router)
    }

    private func addHistory(to router: Router<StoreRequestContext>) {
        router.mount(DeviceEndpoints.transactionReceipt) { body, request, context in
            let session = try await context.ledger.session(of: request)
            return ReceiptReply(receipt: try await context.ledger.transactionReceipt(of: body.transactionID, for: session))
        }
        router.mount(DeviceEndpoints.appTransaction) { body, request, context in
            let session = try await context.ledger.session(of: request, running: body.appVersion)
            return AppTransactionReply(signedAppTransaction: try await context.ledger.appTransaction(for: session))
        }
        router.mount(DeviceEndpoints.history) { body, request, context in
            try await context.ledger.history(for: try await context.ledger.session(of: request), after: body.revision)
        }
        router.mount(DeviceEndpoints.redeem) { body, request, context in
            try await context.ledger.redeem(body, by: try await context.ledger.session(of: request))
        }
        router.mount(DeviceEndpoints.requestRefund) { body, request, context in
            try await context.ledger.requestRefund(body, by: try await context.ledger.session(of: request))
            return Empty()
        }
        router.mount(DeviceEndpoints.manageSubscription) { body, request, context in
            try await context.ledger.manage(body, by: try await context.ledger.session(of: request))
        }
        // The stream contains the events of the account in the app, so that a connected device need not poll.
        router.get(RouterPath(DeviceEndpoints.eventsPath)) { request, context in
            let session = try await context.ledger.session(of: request)
            let lastEventID = request.headers.lastEventID
            let stream = EventStream(
                ledger: try context.ledger, after: try lastEventID ?? EventQuery(request).after, account: session.account,
                bundleID: session.bundleID)
            return Response(eventStream: stream)
        }
    }

    /// Returns the requested products in the storefront of the signed-in account.
    ///
    /// Without a sign-in, the products are those of the first app in its default storefront.
    private func products(_ productsRequest: ProductsRequest, _ request: Request, _ ledger: StoreLedger) async throws -> ProductsReply {
        guard productsRequest.productIDs.count <= ProductsRequest.limit else { throw StoreError.tooManyProducts }
        var app = try ledger.apps.require(ledger.apps.defaultBundleID)
        var storefront = app.catalog.storefront
        if request.headers[.authorization] != nil {
            let session = try await ledger.session(of: request)
            app = try ledger.apps.require(session.bundleID)
            let (found, account) = (app, session.account)
            storefront = try await ledger.read { db in try AccountRecord.require(account, db).storefront(of: found) }
        }
        let requestedIDs = Set(productsRequest.productIDs).sorted()
        let bundleID = app.bundleID
        let contents = try await ledger.read { db in try ledger.contents(in: bundleID, db) }
        return ProductsReply(
            products: requestedIDs.compactMap { id in
                var product = app.catalog.product(id, in: storefront)
                product?.content = contents[id]
                return product
            },
            invalidProductIDs: requestedIDs.filter { app.catalog.product($0) == nil }
        )
    }
}
