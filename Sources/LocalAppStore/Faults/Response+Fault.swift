import HTTPTypes
import Hummingbird
import NIOCore
import PurchaseModel
import PurchaseProtocol
import WireServer

extension Response {
    /// The error page of an overloaded `verifyReceipt`, byte for byte.
    private static let outage = "<html><body><b>Http/1.1 Service Unavailable</b></body> </html>"

    /// The response of a fault, in the format of the surface's protocol.
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
            self.init(.ok, PurchaseReply.refused(code: code, message: "A fault refuses this purchase."))
        }
    }

    /// The error response for a status; `Retry-After` is a time in milliseconds since 1970 in the App Store Server API, and seconds from
    /// now elsewhere.
    private init(status code: Int, retryAfterSeconds seconds: Int64?, _ surface: FaultSurface, now: Timestamp) {
        let status = HTTPResponse.Status(code: code)
        switch surface {
        case .serverAPI:
            let number = code == 400 || code == 429 || code >= 500 ? code * 10_000 : code * 10_000 + 1
            // A response to a request without a valid token has no body.
            let body = ServerAPIErrorBody(errorCode: Int64(number), errorMessage: "A fault returns this error.")
            self = code == 401 ? Response(status: status) : Response(serverAPI: body, status: status)
            headers[.retryAfter] = seconds.map { String(now.adding(seconds: $0).milliseconds) }
        case .device, .verifyReceipt, .notifications:
            self.init(status, WireError(code: "fault.status", message: "A fault returns this response."))
            headers[.retryAfter] = seconds.map(String.init)
        }
    }
}
