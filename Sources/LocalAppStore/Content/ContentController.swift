import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes that upload, remove and download the content that the store hosts for products (`SKDownload`).
struct ContentController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.put(RouterPath(HostEndpoints.contentPath)) { request, context in
            let data = Data(buffer: try await request.wholeBody(upTo: ContentService.contentLimit))
            let (bundle, product) = (BundleID(try context.parameter("bundle")), ProductID(try context.parameter("product")))
            let version = try request.query("version") ?? "1.0"
            try await context.services.contents.setContent(data, version: version, of: product, in: bundle)
            return Response(.ok, Empty())
        }
        router.delete(RouterPath(HostEndpoints.contentPath)) { _, context in
            let (bundle, product) = (BundleID(try context.parameter("bundle")), ProductID(try context.parameter("product")))
            try await context.services.contents.removeContent(of: product, in: bundle)
            return Response(.ok, Empty())
        }
        router.get(RouterPath(DeviceEndpoints.contentPath)) { request, context in
            let services = try context.services
            let session = try await services.sessions.session(of: request)
            let content = try await services.contents.content(of: TransactionID(try context.parameter("transaction")), for: session)
            return await Response.content(length: content.length, entityTag: content.entityTag, for: request) { range in
                ResponseBody(asyncSequence: ContentStream(contents: services.contents, content: content, range: range))
            }
        }
    }
}
