import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PurchaseModel
import WireServer

/// Converts every error under `/inApps` to the format of the App Store Server API; no other code does this conversion.
struct ServerAPIErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path.hasPrefix("/inApps/") else { return try await next(request, context) }
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
            // Unlike the HTTP standard's seconds, the App Store's value is a point in time in milliseconds.
            response.headers[.retryAfter] = "\(refusal.until.milliseconds)"
            return response
        } catch let error as StoreError where error == .storeUnknown {
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
            context.logger.error("server API failed", metadata: ["path": "\(request.uri.path)", "error": "\(type(of: error))"])
            context.logger.debug("server API failed", metadata: ["error": "\(error)"])
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
    /// The error body with the error's code.
    init(_ error: ServerAPIError) {
        self.init(serverAPI: ServerAPIErrorBody(error), status: HTTPResponse.Status(code: error.status))
    }

    /// A response of the App Store Server API.
    ///
    /// The content type has no parameter, because Apple's Python library parses errors with exactly this content type only.
    init(serverAPI value: some Encodable & Sendable, status: HTTPResponse.Status = .ok) {
        self.init(status, value)
        headers[.contentType] = "application/json"
    }
}
