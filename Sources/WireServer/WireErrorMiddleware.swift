import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import PurchaseModel
import PurchaseProtocol

/// Turns each error of a handler into the wire format, as the only place that does so.
package struct WireErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Creates the middleware.
    package init() {}

    /// Passes responses on, and maps errors; a response to HEAD has no body.
    package func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await answer(to: request, context: context, next: next)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        to request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as any WireRefusal {
            var response = Response(refusal.status, refusal.wireError)
            response.headers[.retryAfter] = refusal.retryAfterSeconds.map { "\($0)" }
            return response
        } catch let error as HTTPError {
            let message = error.body ?? Self.sentence(error.status, of: request)
            var response = Response(error.status, WireError(code: "http.\(error.status.code)", message: message))
            response.headers.append(contentsOf: error.headers)
            return response
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The response reveals nothing about an unknown error; the server's operator finds the error in the log.
            context.logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(type(of: error))"])
            context.logger.debug("request failed", metadata: ["error": "\(error)"])
            let message = "The server failed to carry this out; try again later."
            return Response(.serviceUnavailable, WireError(code: "server.failed", message: message))
        }
    }

    private static func sentence(_ status: HTTPResponse.Status, of request: Request) -> String {
        switch status {
        case .notFound: "\(request.method) \(request.uri.path) is not an address of this server."
        case .methodNotAllowed: "\(request.method) is not a method of \(request.uri.path)."
        default: status.reasonPhrase.isEmpty ? "The request was refused with status \(status.code)." : "\(status.reasonPhrase)."
        }
    }
}
