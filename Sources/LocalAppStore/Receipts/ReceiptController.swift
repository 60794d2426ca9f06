import Hummingbird
import PurchaseModel
import StoreProtocol
import WireServer

/// Adds the routes of the device API that issue receipts.
struct ReceiptController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(DeviceEndpoints.receipt) { body, request, context in
            let services = try context.services
            let session = try await services.sessions.session(of: request, running: body.appVersion)
            return ReceiptReply(receipt: try await services.receipts.receipt(for: session, body))
        }
        router.mount(DeviceEndpoints.transactionReceipt) { body, request, context in
            let services = try context.services
            let session = try await services.sessions.session(of: request)
            return ReceiptReply(receipt: try await services.receipts.transactionReceipt(of: body.transactionID, for: session))
        }
    }
}
