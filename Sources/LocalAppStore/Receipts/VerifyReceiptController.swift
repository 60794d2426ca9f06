import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import WireServer

/// Adds the `verifyReceipt` route, which verifies receipts for developers' servers.
///
/// The HTTP status is always 200; the `status` member of the body states errors. The path prefix `/production` selects the environment.
struct VerifyReceiptController: Sendable {
    /// The maximum size of a `verifyReceipt` request, in bytes.
    ///
    /// The limit is twice the limit of other routes, so that a receipt with 10,000 purchases fits.
    static let bodyLimit = 2 * defaultBodyLimit

    func addRoutes(to router: Router<StoreRequestContext>) {
        for method in [HTTPRequest.Method.get, .head, .put, .patch, .delete, .options] {
            router.on("/verifyReceipt", method: method) { _, _ in Response(.ok, VerifyReceiptResponse(status: .notPost)) }
        }
        router.post("/verifyReceipt") { request, context in
            let store = try context.store
            do {
                guard let parsedRequest = try await Self.parsedRequest(of: request) else {
                    return Response(.ok, VerifyReceiptResponse(status: .malformed))
                }
                if parsedRequest.receipt.first == UInt8(ascii: "{") {
                    return try await transactionReceiptResponse(parsedRequest, store, context.environment)
                }
                return Response(.ok, try await response(to: parsedRequest, store, context.environment))
            } catch let error as VerificationFailure {
                return Response(.ok, VerifyReceiptResponse(status: VerifyReceiptStatus(error)))
            } catch {
                context.logger.error("a verifyReceipt request failed", metadata: ["error": "\(type(of: error))"])
                var response = VerifyReceiptResponse(status: .internalError)
                response.isRetryable = true
                return Response(.ok, response)
            }
        }
    }

    /// Reads a `verifyReceipt` request and decodes its receipt from base64; returns nil if the request or the base64 is invalid.
    ///
    /// The base64 of an app receipt must not contain line breaks; the base64 of a transaction receipt may.
    private static func parsedRequest(of request: Request) async throws -> (body: VerifyReceiptRequest, receipt: [UInt8])? {
        let buffer: ByteBuffer
        do { buffer = try await request.wholeBody(upTo: bodyLimit) } catch BodyRefusal.memoryExhausted {
            throw BodyRefusal.memoryExhausted
        } catch {
            return nil
        }
        guard
            let body = try? WireJSON.decode(VerifyReceiptRequest.self, from: Data(buffer: buffer)), let text = body.receiptData
        else { return nil }
        if let receipt = Data(base64Encoded: text) { return (body, [UInt8](receipt)) }
        guard let receipt = Data(base64Encoded: text.filter { !$0.isNewline }), receipt.first == UInt8(ascii: "{") else { return nil }
        return (body, [UInt8](receipt))
    }

    private func response(
        to parsedRequest: (body: VerifyReceiptRequest, receipt: [UInt8]), _ store: LocalAppStore, _ environment: AppEnvironment
    ) async throws -> VerifyReceiptResponse {
        let verifier = ReceiptVerifier(roots: store.roots, EnvironmentCheck([environment]))
        let verified = try await verifier.verify(parsedRequest.receipt)
        // A receipt of an app that the store does not have is refused.
        guard let app = store.context.apps[verified.payload.bundleID] else { return VerifyReceiptResponse(status: .notAuthenticated) }
        guard Self.isAllowed(parsedRequest.body, app) else { return Self.secretMismatch(verified.payload.environment) }
        return try await store.context.receipts.response(
            to: verified, of: app, excludingOldTransactions: parsedRequest.body.excludeOldTransactions ?? false)
    }

    private func transactionReceiptResponse(
        _ parsedRequest: (body: VerifyReceiptRequest, receipt: [UInt8]), _ store: LocalAppStore, _ environment: AppEnvironment
    ) async throws -> Response {
        let bundleID: BundleID
        do {
            bundleID = try UnverifiedTransactionReceipt(parsedRequest.receipt).payload.bundleID
        } catch {
            return Response(.ok, VerifyReceiptResponse(status: .malformed))
        }
        guard let app = store.context.apps[bundleID] else { return Response(.ok, VerifyReceiptResponse(status: .notAuthenticated)) }
        let verifier = TransactionReceiptVerifier(roots: store.roots, bundleID: bundleID, environments: [environment])
        let verified = try verifier.verify(parsedRequest.receipt)
        guard Self.isAllowed(parsedRequest.body, app) else { return Response(.ok, Self.secretMismatch(environment)) }
        guard let response = try await store.context.receipts.response(to: verified) else {
            return Response(.ok, VerifyReceiptResponse.unknownAccount(environment))
        }
        return Response(.ok, response)
    }

    private static func isAllowed(_ body: VerifyReceiptRequest, _ app: StoreApp) -> Bool {
        app.row.sharedSecret == nil || body.password == app.row.sharedSecret
    }

    private static func secretMismatch(_ environment: AppEnvironment) -> VerifyReceiptResponse {
        var response = VerifyReceiptResponse(status: .secretMismatch)
        response.environment = environment.rawValue
        return response
    }
}
