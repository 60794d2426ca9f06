import HTTPTypes
import Hummingbird

/// Lets replicas answer the requests of callers who state which writes the answer must include.
///
/// The response to a request that wrote has the header `Tillroll-Position`. A later `GET` request with this header is answered by a replica
/// that contains the write, or else by the primary. A request without the header, or with a malformed one, is answered by the primary.
struct ReadYourWritesMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let isRead = [HTTPRequest.Method.get, .head].contains(request.method)
        let stated = request.headers[.position].flatMap { WritePosition($0) }
        let position = RequestPosition(required: isRead ? stated : nil)
        var response = try await RequestPosition.$current.withValue(position) { try await next(request, context) }
        // A caller who reads and writes in turns keeps the greater of both. An unknown position is greater than any, until the next write.
        let written = position.afterWrites
        if let last = [stated == .unknown && written != nil ? nil : stated, written].compactMap({ $0 }).max() {
            response.headers[.position] = last.description
        }
        return response
    }
}
