import Foundation
import FoundationExtras
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
                if parsedRequest.isTransactionReceipt {
                    return try await transactionReceiptResponse(parsedRequest, store, context.environment)
                }
                return Response(.ok, try await response(to: parsedRequest, store, context.environment))
            } catch let error as VerificationFailure {
                // PurchaseProof maps a receipt of the other environment to status 21007 or 21008.
                let status = VerifyReceiptStatus(error)
                // The other statuses say what is wrong.
                if status == .malformed || status == .notAuthenticated { RequestNotes.current?.reason = Self.reason(error) }
                return Response(.ok, VerifyReceiptResponse(status: status))
            } catch {
                context.logger.error("a verifyReceipt request failed", metadata: ["error": "\(type(of: error))"])
                var response = VerifyReceiptResponse(status: .internalError)
                response.isRetryable = true
                return Response(.ok, response)
            }
        }
    }

    /// Reads a `verifyReceipt` request; returns nil if the request or the base64 of its receipt is invalid.
    private static func parsedRequest(of request: Request) async throws -> ReceiptVerificationRequest? {
        let buffer: ByteBuffer
        do { buffer = try await request.wholeBody(upTo: ReceiptVerificationRequest.bodyLimit) } catch BodyRefusal.memoryExhausted {
            throw BodyRefusal.memoryExhausted
        } catch {
            RequestNotes.current?.reason = "The body can't be read, or is larger than \(ReceiptVerificationRequest.bodyLimit >> 20) MiB."
            return nil
        }
        if (1...RequestLog.bodyLimit).contains(buffer.readableBytes) { RequestNotes.current?.body = buffer }
        let data = Data(buffer: buffer)
        if let parsedRequest = ReceiptVerificationRequest(json: data) { return parsedRequest }
        RequestNotes.current?.reason = MalformedReceiptRequest.reason(data)
        return nil
    }

    private func response(
        to parsedRequest: ReceiptVerificationRequest, _ store: LocalAppStore, _ environment: AppEnvironment
    ) async throws -> VerifyReceiptResponse {
        let verifier = ReceiptVerifier(roots: store.roots, EnvironmentCheck([environment]))
        let verified = try await verifier.verify(parsedRequest.receipt)
        // A receipt of an app that the store does not have is refused.
        guard let app = store.context.apps[verified.payload.bundleID] else {
            RequestNotes.current?.reason = "The store has no app \(verified.payload.bundleID). Add it with: tillroll store app"
            return VerifyReceiptResponse(status: .notAuthenticated)
        }
        guard Self.isAllowed(parsedRequest.body, app) else { return Self.secretMismatch(verified.payload.environment) }
        return try await store.storeServices.receipts.response(
            to: verified, of: app, excludingOldTransactions: parsedRequest.body.excludeOldTransactions ?? false)
    }

    private func transactionReceiptResponse(
        _ parsedRequest: ReceiptVerificationRequest, _ store: LocalAppStore, _ environment: AppEnvironment
    ) async throws -> Response {
        let bundleID: BundleID
        do {
            bundleID = try UnverifiedTransactionReceipt(parsedRequest.receipt).payload.bundleID
        } catch {
            RequestNotes.current?.reason = "receipt-data is no receipt of iOS 7 or later, and no receipt of one transaction."
            return Response(.ok, VerifyReceiptResponse(status: .malformed))
        }
        guard let app = store.context.apps[bundleID] else {
            RequestNotes.current?.reason = "The store has no app \(bundleID). Add it with: tillroll store app"
            return Response(.ok, VerifyReceiptResponse(status: .notAuthenticated))
        }
        let verifier = TransactionReceiptVerifier(roots: store.roots, bundleID: bundleID, environments: [environment])
        let verified = try verifier.verify(parsedRequest.receipt)
        guard Self.isAllowed(parsedRequest.body, app) else { return Response(.ok, Self.secretMismatch(environment)) }
        guard let response = try await store.storeServices.receipts.response(to: verified) else {
            return Response(.ok, VerifyReceiptResponse.unknownAccount(environment))
        }
        return Response(.ok, response)
    }

    private static func reason(_ failure: VerificationFailure) -> String {
        let explanation = VerificationExplanation(failure)
        return explanation.message ?? explanation.reason ?? "The receipt is refused."
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

/// The reasons for which the body of a `verifyReceipt` request is malformed, for the log of requests; the response has the status only.
private enum MalformedReceiptRequest {
    /// Returns what a developer probably did wrong.
    static func reason(_ body: Data) -> String {
        guard case .object(let members) = JSONReader.read([UInt8](body)) else {
            return "The body is no JSON object. Send {\"receipt-data\": \"…\"}, and no form."
        }
        guard let text = members.last(where: { $0.name == "receipt-data" })?.value.text else {
            return "The body has no text in the member receipt-data."
        }
        if text.contains(" ") {
            return "receipt-data has spaces instead of +, as after the decoding of a form. Send the base64 unchanged."
        }
        let alphabet = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2B, 0x2F, 0x3D].contains(byte)
        }
        if !alphabet {
            return
                "receipt-data is no standard base64 in one line (RFC 4648, section 4): it has other characters, such as line breaks, - or _."
        }
        return "receipt-data is incomplete: the length of base64 is a multiple of 4, with the = at its end."
    }
}
