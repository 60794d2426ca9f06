import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import WireServer

/// Answers developers' servers at one of the two addresses of `verifyReceipt`.
///
/// Always with HTTP status 200: what went wrong is the `status` in the body.
struct VerifyReceiptController<Context: RequestContext>: Sendable {
    /// The most bytes of a request that are read; the largest real receipt known is a hundredth of it.
    private static var bodyLimit: Int { 8 << 20 }

    let path: RouterPath
    let ledger: StoreLedger
    let sharedSecret: String?
    private let verifier: ReceiptVerifier

    /// Answers at the address of one environment.
    ///
    /// Receipts of the store itself are the sandbox's, so the address of production refers them to the sandbox, as Apple's does.
    init(environment: AppEnvironment, ledger: StoreLedger, roots: TrustedRoots, sharedSecret: String?) {
        self.path = environment == .production ? "/production/verifyReceipt" : "/sandbox/verifyReceipt"
        self.ledger = ledger
        self.sharedSecret = sharedSecret
        self.verifier = ReceiptVerifier(roots: roots, BundleCheck(ledger.signer.bundleID), EnvironmentCheck([environment]))
    }

    func addRoutes(to router: Router<Context>) {
        router.get(path) { _, _ in Response(.ok, VerifyReceiptResponse(status: .notPost)) }
        router.post(path) { request, context in
            do {
                return Response(.ok, try await answer(to: request))
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

    private func answer(to request: Request) async throws -> VerifyReceiptResponse {
        guard let buffer = try? await request.body.collect(upTo: Self.bodyLimit),
            let body = try? WireJSON.decode(VerifyReceiptRequest.self, from: Data(buffer: buffer)),
            let receipt = body.receiptData.flatMap({ Data(base64Encoded: $0) })
        else { return VerifyReceiptResponse(status: .malformed) }
        let verified = try await verifier.verify([UInt8](receipt))
        guard sharedSecret == nil || body.password == sharedSecret else {
            var response = VerifyReceiptResponse(status: .secretMismatch)
            response.environment = verified.payload.environment.rawValue
            return response
        }
        return try await ledger.answer(about: verified, excludingOld: body.excludeOldTransactions ?? false)
    }
}
