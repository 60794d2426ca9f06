import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PurchaseModel
import WireServer

/// The middleware that converts all errors of the App Store Server API's routes to its format.
struct ServerAPIErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        guard ServerAPIEndpoint.owns(path: request.uri.path) else { return try await next(request, context) }
        do {
            return try await next(request, context)
        } catch let error as ServerAPIError {
            return Response(error)
        } catch let refusal as Unauthorized {
            return Response(
                status: .unauthorized, headers: [.contentType: "text/plain"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "Unauthenticated\n\n\(refusal.reason)\n"))
            )
        } catch let refusal as RateLimitExceeded {
            var response = Response(ServerAPIError.rateLimitExceeded)
            // In the App Store Server API, `Retry-After` is a time in milliseconds since 1970, and not a number of seconds as in the HTTP
            // standard.
            response.headers[.retryAfter] = "\(refusal.until.milliseconds)"
            return response
        } catch let error as HostError where error == .storeUnknown {
            throw error
        } catch is NIOTooManyBytesError {
            return Response(ServerAPIError.bodyTooLarge)
        } catch let error as HTTPError {
            var response = Response(Self.error(error.status))
            response.headers[.allow] = error.headers[.allow]
            return response
        } catch let refusal as any WireRefusal {
            var response = Response(Self.error(refusal.status))
            response.headers[.retryAfter] = refusal.retryAfterSeconds.map { "\($0)" }
            return response
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.logger.error(
                "a request to the App Store Server API failed", metadata: ["path": "\(request.uri.path)", "error": "\(type(of: error))"])
            context.logger.debug("a request to the App Store Server API failed", metadata: ["error": "\(error)"])
            return Response(ServerAPIError.generalInternalRetryable)
        }
    }

    private static func error(_ status: HTTPResponse.Status) -> ServerAPIError {
        switch status {
        case .notFound: .endpointNotFound
        case .methodNotAllowed: .methodNotAllowed
        case .contentTooLarge: .bodyTooLarge
        case .serviceUnavailable: .generalInternalRetryable
        default: .generalBadRequest
        }
    }
}

extension Response {
    /// Creates the response for an error of the App Store Server API, with the error's HTTP status and code.
    init(_ error: ServerAPIError) {
        self.init(serverAPI: ServerAPIErrorBody(error), status: HTTPResponse.Status(code: error.status))
    }

    /// Creates a response of the App Store Server API with a JSON body.
    ///
    /// The content type has no `charset` parameter, because Apple's Python library recognizes errors only by the exact type
    /// `application/json`.
    init(serverAPI value: some Encodable & Sendable, status: HTTPResponse.Status = .ok) {
        self.init(status, value)
        headers[.contentType] = "application/json"
    }
}
