import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PurchaseModel
import PurchaseProtocol
import WireClient

/// The address to which notifications are forwarded, with the scheme `http` or `https`.
struct ForwardOption: ExpressibleByArgument, Sendable {
    /// The address to which notifications are posted.
    let url: HTTPURL

    init?(argument: String) {
        guard let url = HTTPURL(argument) else { return nil }
        self.url = url
    }

    /// Posts a notification as the store does.
    func forward(_ details: NotificationDetails) async -> ForwardAnswer {
        guard let body = details.body else { return ForwardAnswer(details, result: "NO_BODY") }
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.body = .bytes(ByteBuffer(string: body))
        guard let response = try? await HTTPClient.wire.execute(request, timeout: .seconds(30)) else {
            return ForwardAnswer(details, result: "NO_RESPONSE")
        }
        let status = Int(response.status.code)
        // The status is the result. A body that is available at once is read, so that the connection can be reused.
        _ = try? await withDeadline(.milliseconds(250)) { try await response.body.collect(upTo: 1 << 20) }
        return ForwardAnswer(details, status: status, result: (200..<207).contains(status) ? "SUCCESS" : "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
    }
}
