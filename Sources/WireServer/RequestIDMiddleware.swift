package import HTTPTypes
package import Hummingbird
import Logging

/// States the identifier of each request in its response, so that a report of a client leads to the lines in the log.
///
/// Each line about a request has the identifier as `hb.request.id`. The debug level has a line for each request, with its route, which
/// contains no identifier of a customer.
package struct RequestIDMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Creates the middleware.
    package init() {}

    /// Adds the identifier to the response of the next handler.
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.requestID] = context.logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? "\(RequestID())"
        context.logger.debug(
            "a request was answered",
            metadata: [
                "method": "\(request.method)", "route": "\(context.endpointPath ?? "none")", "status": "\(response.status.code)",
            ])
        return response
    }
}

extension HTTPField.Name {
    /// The identifier of a request, which the server chooses, in each response and in each line of the log about the request.
    package static let requestID = HTTPField.Name("Tillroll-Request-ID") ?? .from
}
