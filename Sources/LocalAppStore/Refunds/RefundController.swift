import Hummingbird
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes of the control API and of the device API about refunds and refund requests.
struct RefundController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(DeviceEndpoints.requestRefund) { body, request, context in
            let services = try context.services
            try await services.refunds.requestRefund(body, by: try await services.sessions.session(of: request))
            return Empty()
        }
        router.mount(ControlEndpoints.refundRequests) { _, _, context in
            try await context.services.refunds.refundRequests()
        }
        router.deliveringNotifications
            .mount(ControlEndpoints.refund) { body, _, context in
                RefundReply(isRepeated: try await !context.services.refunds.refund(body))
            }
            .mount(ControlEndpoints.reverseRefund) { body, _, context in
                try await context.services.refunds.reverseRefund(of: body.transactionID)
                return Empty()
            }
            .mount(ControlEndpoints.requestRefund) { body, _, context in
                try await context.services.refunds.requestRefund(body)
            }
            .mount(ControlEndpoints.decideRefund) { body, _, context in
                guard let id = Int64(try context.parameter("request")) else { throw RefundError.requestUnknown }
                try await context.services.refunds.decideRefund(id, approve: body.approve)
                return Empty()
            }
    }
}
