import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import WireServer

/// Takes and hands out the content that the store hosts for products (`SKDownload`).
struct ContentController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.put(RouterPath(HostEndpoints.contentPath)) { request, context in
            let data = Data(buffer: try await request.wholeBody(upTo: StoreLedger.contentLimit))
            let (bundle, product) = (BundleID(try context.parameter("bundle")), ProductID(try context.parameter("product")))
            let version = try request.query("version") ?? "1.0"
            try await context.ledger.setContent(data, version: version, of: product, in: bundle)
            return Response(.ok, Empty())
        }
        router.delete(RouterPath(HostEndpoints.contentPath)) { _, context in
            let (bundle, product) = (BundleID(try context.parameter("bundle")), ProductID(try context.parameter("product")))
            try await context.ledger.removeContent(of: product, in: bundle)
            return Response(.ok, Empty())
        }
        router.get("/device/v1/content/{transaction}") { request, context in
            let ledger = try context.ledger
            let session = try await ledger.session(of: request)
            let content = try await ledger.content(of: TransactionID(try context.parameter("transaction")), for: session)
            return Self.answer(content, request, ledger)
        }
    }

    /// All of a content, the part that was asked for, or 416 (RFC 9110, section 14).
    ///
    /// A range counts only when `If-Range` is absent or is this content's tag, so nobody glues halves of two contents together. HEAD
    /// has no ranges.
    private static func answer(_ content: ContentRow, _ request: Request, _ ledger: StoreLedger) -> Response {
        let headers = request.headers
        let takesRange = request.method == .get && headers[.ifRange].map { $0 == content.entityTag } ?? true
        var fields: HTTPFields = [.acceptRanges: "bytes", .eTag: content.entityTag, .contentType: "application/octet-stream"]
        switch takesRange ? ByteRange(header: headers[.range], length: content.length) : .whole {
        case .whole:
            let stream = ContentStream(ledger: ledger, content: content, range: 0..<content.length)
            fields[.contentLength] = String(content.length)
            return Response(status: .ok, headers: fields, body: ResponseBody(asyncSequence: stream))
        case .part(let range):
            fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.length)"
            fields[.contentLength] = String(range.count)
            let stream = ContentStream(ledger: ledger, content: content, range: range)
            return Response(status: .partialContent, headers: fields, body: ResponseBody(asyncSequence: stream))
        case .unsatisfiable:
            let message = "The content has \(content.length) bytes; none of those that were asked for."
            var response = Response(.rangeNotSatisfiable, WireError(code: "content.range", message: message))
            response.headers[.contentRange] = "bytes */\(content.length)"
            return response
        }
    }
}
