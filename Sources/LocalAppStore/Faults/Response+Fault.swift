import HTTPTypes
import Hummingbird
import NIOCore
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

extension Response {
    /// The HTML error page that an overloaded `verifyReceipt` returns, byte for byte.
    private static let outage = "<html><body><b>Http/1.1 Service Unavailable</b></body> </html>"

    /// Creates the response that a fault requires, in the format of the endpoint's protocol.
    init(_ answer: CallEffects.Answer, _ surface: FaultSurface, now: Timestamp) {
        switch answer {
        case .status(let code, let seconds):
            self.init(status: code, retryAfterSeconds: seconds, surface, now: now)
        case .verifyReceipt(let status, let isRetryable):
            var response = VerifyReceiptResponse(status: status)
            response.isRetryable = isRetryable
            self.init(.ok, response)
        case .outage:
            let headers: HTTPFields = [.contentType: "text/html", .cacheControl: "no-cache,no-store", .connection: "close"]
            self.init(status: .serviceUnavailable, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: Self.outage)))
        case .refusal(let code):
            let message = "A simulated fault of the local store refuses this purchase."
            RequestNotes.current?.reason = message
            self.init(.ok, PurchaseReply.refused(code: code, message: message))
        }
    }

    /// Creates an error response with an HTTP status.
    ///
    /// In the App Store Server API, `Retry-After` is a time in milliseconds since 1970; elsewhere it is a number of seconds.
    private init(status code: Int, retryAfterSeconds seconds: Int64?, _ surface: FaultSurface, now: Timestamp) {
        let status = HTTPResponse.Status(code: code)
        switch surface {
        case .serverAPI:
            let number = code == 400 || code == 429 || code >= 500 ? code * 10_000 : code * 10_000 + 1
            // The App Store Server API responds with 401, for an invalid token, without a body.
            let body = ServerAPIErrorBody(
                errorCode: Int64(number), errorMessage: "A simulated fault of the local store returns this error.")
            self = code == 401 ? Response(status: status) : Response(serverAPI: body, status: status)
            headers[.retryAfter] = seconds.map { String(now.adding(seconds: $0).milliseconds) }
        case .device, .verifyReceipt, .notifications:
            self.init(status, WireError(code: "fault.status", message: "A simulated fault of the local store returns this response."))
            headers[.retryAfter] = seconds.map(String.init)
        }
    }
}
