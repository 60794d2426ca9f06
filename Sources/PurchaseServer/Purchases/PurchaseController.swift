import Hummingbird
import Logging
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import ServiceLifecycle
import WireServer

/// The endpoint that verifies and records purchases.
struct PurchaseController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.purchases) { body, request, context in
            let caller = try context.caller(.submitPurchases)
            let waits = try request.waitsForWebhook
            let reference = try request.customerReference(of: caller)
            guard !waits || reference != nil else { throw SubmissionRefusal.waitWithoutCustomer }
            var reply = try await caller.app.purchases.submit(body, for: reference, isBackend: caller.isBackend)
            log(reply, caller, context.logger)
            if waits, let customer = reply.customer {
                reply.webhook = await cancelWhenGracefulShutdown {
                    // The purchase is recorded, so an error of the database does not refuse the submission.
                    (try? await caller.app.acknowledgments.wait(for: customer)) ?? .pending
                }
            }
            return reply
        }
    }

    /// Logs the outcome of a submission without identifiers of customers and purchases, at the info level if a proof was not verified.
    private func log(_ reply: SubmitPurchasesReply, _ caller: Caller, _ logger: Logger) {
        func count(_ status: ProofResult.Status) -> Int { reply.results.count { $0.status == status } }
        var metadata: Logger.Metadata = [
            "app": "\(caller.app.id)", "key": "\(caller.key.id)", "verified": "\(count(.verified))",
            "refused": "\(count(.refused))", "indeterminate": "\(count(.indeterminate))",
        ]
        let codes = Set(reply.results.compactMap(\.code).map(OpaqueText.init)).sorted()
        guard !codes.isEmpty else { return logger.debug("a submission was processed", metadata: metadata) }
        metadata["reasons"] = "\(codes.map(\.rawValue).joined(separator: " "))"
        logger.info("a submission has proofs that were not verified", metadata: metadata)
    }
}

extension Request {
    /// Whether the answer waits for the acknowledgments of the webhook endpoints.
    fileprivate var waitsForWebhook: Bool {
        get throws {
            switch try query("wait") {
            case nil: return false
            case "webhook": return true
            default: throw SubmissionRefusal.wait
            }
        }
    }
}
