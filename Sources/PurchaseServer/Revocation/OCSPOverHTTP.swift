import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PurchaseModel
import PurchaseProof
import WireClient

/// Asks responders over HTTP, as RFC 6960 has it in appendix A.
package struct OCSPOverHTTP: OCSPTransport {
    /// Creates a transport over the process's HTTP client.
    package init() {}

    /// What stands in the way of an answer.
    enum Failure: Error {
        /// The certificate names no address that can be asked.
        case address
        /// The responder answered with something else than 200.
        case status(UInt)
    }

    /// The body of a responder's answer.
    package func answer(to request: [UInt8], from address: String) async throws -> [UInt8] {
        guard let address = HTTPURL(address) else { throw Failure.address }
        var question = HTTPClientRequest(url: address.text)
        question.method = .POST
        question.headers.add(name: "Content-Type", value: "application/ocsp-request")
        question.headers.add(name: "Accept", value: "application/ocsp-response")
        question.body = .bytes(request)
        return try await withDeadline(.seconds(10)) { [question] in
            let response = try await HTTPClient.wire.execute(question, timeout: .seconds(10))
            guard response.status == .ok else { throw Failure.status(response.status.code) }
            let body = try await response.body.collect(upTo: RevocationChecker.maximumAnswer)
            return Array(body.readableBytesView)
        }
    }
}
