package import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import PurchaseModel
package import Wire

/// Converts the errors that routes throw to responses with a JSON error (`WireError`).
package struct WireErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Creates the middleware.
    package init() {}

    /// Returns the response of the next handler, or the response that reports its error; a response to HEAD has no body.
    package func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await respond(to: request, context: context, next: next)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func respond(
        to request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as any WireRefusal {
            if let message = refusal.operatorMessage {
                context.logger.error("\(message)", metadata: ["path": "\(request.uri.path)", "code": "\(refusal.wireError.code)"])
            }
            var response = Response(refusal.status, refusal.wireError)
            response.headers[.retryAfter] = refusal.retryAfterSeconds.map { "\($0)" }
            response.headers.append(contentsOf: refusal.headers)
            return response
        } catch let error as HTTPError {
            let message = error.body ?? Self.message(error.status, of: request)
            var response = Response(error.status, WireError(code: "http.\(error.status.code)", message: message))
            response.headers.append(contentsOf: error.headers)
            return response
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The response contains no details of an unexpected error. The log contains the details.
            context.logger.error(
                "processing a request failed with an unexpected error",
                metadata: ["path": "\(request.uri.path)", "error": "\(type(of: error))"])
            context.logger.debug("processing a request failed with these details", metadata: ["error": "\(error)"])
            let message = "The server failed to process the request. Try again later."
            return Response(.serviceUnavailable, WireError(code: "server.failed", message: message))
        }
    }

    private static func message(_ status: HTTPResponse.Status, of request: Request) -> String {
        switch status {
        case .notFound: "This server has no endpoint \(request.method) \(request.uri.path)."
        case .methodNotAllowed: "\(request.uri.path) does not support the method \(request.method)."
        default: status.reasonPhrase.isEmpty ? "The request was refused with status \(status.code)." : "\(status.reasonPhrase)."
        }
    }
}

/// An error that defines the HTTP response with which a server reports it to the client.
///
/// Each target has its own error enumerations, which are independent of HTTP. An enumeration conforms to this protocol with one exhaustive
/// `switch`.
package protocol WireRefusal: Error {
    /// The HTTP status of the response: 4xx for an error of the client, 503 for a retryable error.
    var status: HTTPResponse.Status { get }
    /// The error code and the message in the body of the response.
    var wireError: WireError { get }
    /// The number of seconds after which the same request can succeed; nil when the number is unknown.
    var retryAfterSeconds: Int? { get }
    /// Further headers of the response.
    var headers: HTTPFields { get }
    /// The message in the log for the operator, who has to act; nil for an error that concerns the client only.
    var operatorMessage: String? { get }
}

extension WireRefusal {
    /// The default value, nil, because the number of seconds is unknown.
    package var retryAfterSeconds: Int? { nil }

    /// The default value, no headers.
    package var headers: HTTPFields { [:] }

    /// The default value, nil, because most errors concern the client only.
    package var operatorMessage: String? { nil }
}
