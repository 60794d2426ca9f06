import HTTPTypes
import Hummingbird
import PurchaseStorage

/// Lets replicas answer reads that state the position of the caller's last write.
///
/// The response to a request with writes has the header `Tillroll-Position`. If a later `GET` or `HEAD` request sends `Tillroll-Position`
/// back, a replica that has reached this position answers the request. The primary answers if no replica has reached the position, and if
/// the header is missing or malformed.
struct ReadYourWritesMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let isRead = [HTTPRequest.Method.get, .head].contains(request.method)
        let stated = request.headers[.position].flatMap { WritePosition($0) }
        let position = RequestPosition(required: isRead ? stated : nil)
        var response = try await RequestPosition.$current.withValue(position) { try await next(request, context) }
        // Return the greater of the stated and the written position to the caller. The position of a new write replaces an unknown
        // position, which is greater than all others.
        let written = position.afterWrites
        if let last = [stated == .unknown && written != nil ? nil : stated, written].compactMap({ $0 }).max() {
            response.headers[.position] = last.description
        }
        return response
    }
}
