import AsyncHTTPClient
import Foundation
import FoundationExtras
import NIOCore
import NIOHTTP1
import PurchaseModel
import PurchaseProof
import ServiceLifecycle
import WireClient

/// Whether the server requests the revocation status of certificates, and whether the status is required.
public enum RevocationMode: String, CaseIterable, Sendable {
    /// The revocation status is not requested.
    case off
    /// Data with a revoked certificate is refused; an unavailable status is ignored.
    case soft
    /// Data with a revoked certificate is refused; an unavailable status makes the verification indeterminate, a retryable error.
    case hard
}

extension Revocation {
    /// Creates the revocation check of a mode, with OCSP requests over HTTP.
    init(_ mode: RevocationMode, clock: any WallClock) {
        switch mode {
        case .off: self = .off
        case .soft: self = .soft(RevocationChecker(transport: OCSPOverHTTP(), clock: clock))
        case .hard: self = .hard(RevocationChecker(transport: OCSPOverHTTP(), clock: clock))
        }
    }
}

/// A service that refreshes cached revocation statuses in the background.
struct RevocationService: Service {
    let checker: RevocationChecker

    func run() async throws {
        await cancelWhenGracefulShutdown { await checker.run() }
    }
}

/// Sends OCSP requests over HTTP (RFC 6960, appendix A).
package struct OCSPOverHTTP: OCSPTransport {
    /// Creates a transport that uses the process's shared HTTP client.
    package init() {}

    /// The error of an OCSP request without a usable response.
    enum Failure: Error {
        /// The address of the responder in the certificate is not a valid URL.
        case address
        /// The HTTP status of the response is not 200; the associated value is the status.
        case status(UInt)
    }

    /// Posts an OCSP request to a responder's address, and returns the body of the response.
    package func response(to request: [UInt8], from address: String) async throws -> [UInt8] {
        guard let address = HTTPURL(address) else { throw Failure.address }
        var message = HTTPClientRequest(url: address.text)
        message.method = .POST
        message.headers.add(name: "Content-Type", value: "application/ocsp-request")
        message.headers.add(name: "Accept", value: "application/ocsp-response")
        message.body = .bytes(request)
        return try await withDeadline(.seconds(10)) { [message] in
            let response = try await HTTPClient.wire.execute(message, timeout: .seconds(10))
            guard response.status == .ok else { throw Failure.status(response.status.code) }
            let body = try await response.body.collect(upTo: RevocationChecker.maximumResponse)
            return Array(body.readableBytesView)
        }
    }
}
