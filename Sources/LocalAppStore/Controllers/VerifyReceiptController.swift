import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import WireServer

/// Answers developers' servers at the two addresses of `verifyReceipt`.
///
/// Always with HTTP status 200: what went wrong is the `status` in the body.
struct VerifyReceiptController: Sendable {
    /// The most bytes of a request that are read; the largest real receipt known is a hundredth of it.
    private static let bodyLimit = 4 << 20

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.get("/verifyReceipt") { _, _ in Response(.ok, VerifyReceiptResponse(status: .notPost)) }
        router.post("/verifyReceipt") { request, context in
            let store = try context.store
            do {
                return Response(.ok, try await answer(to: request, store, context.environment))
            } catch let error as Unproven {
                return Response(.ok, VerifyReceiptResponse(status: VerifyReceiptStatus(error)))
            } catch {
                context.logger.error("verifyReceipt failed", metadata: ["error": "\(type(of: error))"])
                var response = VerifyReceiptResponse(status: .internalError)
                response.isRetryable = true
                return Response(.ok, response)
            }
        }
    }

    private func answer(
        to request: Request, _ store: LocalAppStore, _ environment: AppEnvironment
    ) async throws -> VerifyReceiptResponse {
        guard let buffer = try? await request.body.collect(upTo: Self.bodyLimit),
            let body = try? WireJSON.decode(VerifyReceiptRequest.self, from: Data(buffer: buffer)),
            let receipt = body.receiptData.flatMap({ Data(base64Encoded: $0) })
        else { return VerifyReceiptResponse(status: .malformed) }
        let verifier = ReceiptVerifier(roots: store.roots, EnvironmentCheck([environment]))
        let verified = try await verifier.verify([UInt8](receipt))
        // The store knows its own apps only; receipts for others are nobody's here.
        guard let app = store.ledger.apps[verified.payload.bundleID] else { return VerifyReceiptResponse(status: .notAuthenticated) }
        guard app.row.sharedSecret == nil || body.password == app.row.sharedSecret else {
            var response = VerifyReceiptResponse(status: .secretMismatch)
            response.environment = verified.payload.environment.rawValue
            return response
        }
        return try await store.ledger.answer(about: verified, of: app, excludingOld: body.excludeOldTransactions ?? false)
    }
}
