import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes of the control API and of the device API about apps and their products.
struct AppController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.apps) { _, _, context in
            AppsReply(apps: try context.services.context.apps.all.map(\.description))
        }
        router.mount(ControlEndpoints.setApp) { body, _, context in
            try await context.services.appSettings.setApp(BundleID(try context.parameter("bundle")), body)
        }
        router.mount(ControlEndpoints.products) { _, _, context in
            let app = try context.services.context.apps.require(BundleID(try context.parameter("bundle")))
            return ProductsReply(products: app.catalog.products, invalidProductIDs: [])
        }
        // The file keeps its formatting, which an encoder of JSON would change.
        router.get(RouterPath(ControlEndpoints.storekit.template)) { _, context in
            let file = try context.services.context.apps.require(BundleID(try context.parameter("bundle"))).catalog.storekit
            let headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(data: file)))
        }
        router.mount(DeviceEndpoints.products) { body, request, context in
            try await products(body, request, context.services)
        }
    }

    /// Returns the requested products in the storefront of the signed-in account.
    ///
    /// Without a sign-in, the products are those of the first app in its default storefront.
    private func products(_ productsRequest: ProductsRequest, _ request: Request, _ services: StoreServices) async throws -> ProductsReply {
        guard productsRequest.productIDs.count <= ProductsRequest.limit else { throw AppError.tooManyProducts }
        var app = try services.context.apps.require(services.context.apps.defaultBundleID)
        var storefront = app.catalog.storefront
        if request.headers[.authorization] != nil {
            let session = try await services.sessions.session(of: request)
            app = try services.context.apps.require(session.bundleID)
            let (found, account) = (app, session.account)
            storefront = try await services.context.read { db in try AccountRecord.require(account, db).storefront(of: found) }
        }
        let requestedIDs = Set(productsRequest.productIDs).sorted()
        let bundleID = app.bundleID
        let contents = try await services.context.read { db in try services.contents.contents(in: bundleID, db) }
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
