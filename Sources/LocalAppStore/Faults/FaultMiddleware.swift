import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import StoreProtocol
import WireServer

/// The middleware that applies the enabled faults (simulated failures) to requests; see ``EnabledFaults``.
struct FaultMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let services = context.requestedStore?.storeServices, services.context.faultFlag.hasEnabledFaults,
            let surface = FaultCall.surface(ofPath: request.uri.path)
        else {
            return try await next(request, context)
        }
        let body: ByteBuffer
        do {
            let limit = surface == .verifyReceipt ? ReceiptVerificationRequest.bodyLimit : defaultBodyLimit
            body = try await request.wholeBody(upTo: limit)
        } catch is BodyRefusal where surface == .verifyReceipt {
            return Response(.ok, VerifyReceiptResponse(status: .malformed))
        }
        let call = try await services.faults.faultCall(
            surface, path: request.uri.path, bearer: request.bearerToken, body: Data(buffer: body)
        )
        let effects = try await services.context.transaction { db, now in try services.faults.applyFaults(call, at: now, db) }
        // A fault also delays or suppresses the error response of a request that the store refuses.
        let outcome: Result<Response, any Error>
        do {
            if let answer = effects.answer {
                outcome = .success(Response(answer, surface, now: services.context.clock.systemTime))
            } else {
                let bufferedRequest = Request(head: request.head, body: RequestBody(buffer: body))
                outcome = .success(
                    try await SigningEffects.$current.withValue(effects.signing) { try await next(bufferedRequest, context) })
            }
        } catch {
            outcome = .failure(error)
        }
        if effects.delayMilliseconds > 0 {
            try await Task.sleep(for: .milliseconds(effects.delayMilliseconds))
        }
        if effects.closesConnection {
            await context.closeConnection()
        }
        var response = try outcome.get()
        if effects.signing.clockSeconds != 0 {
            let date = services.context.clock.now.adding(seconds: effects.signing.clockSeconds)
            response.headers[.wrongDate] = date.httpDate
        }
        return response
    }
}

extension Timestamp {
    /// The date in the format of HTTP (RFC 9110, section 5.6.7).
    fileprivate var httpDate: String {
        let time: Date.FormatString =
            "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT"
        let day: Date.FormatString = "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) "
        return [day, time].map { format in
            date.formatted(
                Date.VerbatimFormatStyle(
                    format: format, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian)
                ))
        }.joined()
    }
}
