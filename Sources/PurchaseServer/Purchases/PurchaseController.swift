import Hummingbird
import Logging
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import WireServer

/// The endpoint that verifies and records purchases.
struct PurchaseController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.purchases) { body, request, context in
            let caller = try context.caller(.submitPurchases)
            let reply = try await caller.app.purchases.submit(
                body, for: request.customerReference(of: caller), isBackend: caller.isBackend)
            log(reply, caller, context.logger)
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
