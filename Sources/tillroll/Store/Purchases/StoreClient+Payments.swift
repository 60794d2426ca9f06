import ArgumentParser
import PurchaseModel
import PurchaseProtocol

extension StoreClient {
    /// Approves or declines a payment that is pending in Ask to Buy.
    func decide(_ named: String?, approve: Bool) async throws -> DecisionAnswer {
        let payment = try only(named, of: try await call(ControlEndpoints.approvals))
        let _: Empty = try await call(ControlEndpoints.decide, DecisionRequest(approve: approve), ["payment": payment.rawValue])
        return DecisionAnswer(payment: payment, approved: approve)
    }

    /// The named payment, or the only pending one.
    func only(_ named: String?, of waiting: ApprovalsReply) throws -> PaymentID {
        if let named { return PaymentID(named) }
        guard let first = waiting.pending.first else {
            StandardError.line("Error: No payment waits.")
            throw Self.refused
        }
        guard waiting.pending.count == 1 else {
            throw ValidationError("\(waiting.pending.count) payments wait; name one. `approvals` and `interruptions` list them.")
        }
        return first.payment
    }
}
