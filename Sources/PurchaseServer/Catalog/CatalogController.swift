import Crypto
import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire
import WireServer

/// The endpoints that list the products, and change the catalog while the server runs.
struct CatalogController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        // Add the route without an endpoint, because the response has an entity tag.
        router.get(RouterPath(ServerEndpoints.products.template)) { request, context in
            let catalog = try context.caller(.submitPurchases).app.catalog.catalog
            return try list(catalog.listing(request.query("language")), request)
        }
        router.mount(ServerEndpoints.putProducts) { body, _, context in
            let catalog = try context.caller(.administer).app.catalog
            try await catalog.put(body.products)
            return ServerProductsReply(products: catalog.catalog.products)
        }
        router.mount(ServerEndpoints.removeProduct) { _, _, context in
            let catalog = try context.caller(.administer).app.catalog
            try await catalog.remove(ProductID(try context.parameter("product")))
            return ServerProductsReply(products: catalog.catalog.products)
        }
    }

    /// Returns the products, or status 304 if the client's copy is current (RFC 9110, section 13.1.2).
    private func list(_ products: [ServerProduct], _ request: Request) throws -> Response {
        let body = try WireJSON.encode(ServerProductsReply(products: products))
        let tag = "\"\(Hexadecimal.encode(SHA256.hash(data: body).prefix(16)))\""
        let headers: HTTPFields = [.eTag: tag, .cacheControl: "private, no-cache", .contentType: "application/json; charset=utf-8"]
        guard !request.hasCurrent(tag) else { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(data: body)))
    }
}
