import Foundation
import FoundationExtras
import OpenStoreKit
import PurchaseModel
import StoreProtocol
import Synchronization
import Wire

/// A connection to a store that charges a repeated payment again, or that loses every finish.
final class ForgetfulTransport: StoreTransport {
    private let transport: any StoreTransport
    private let keepsPayments: Bool
    private let known = Mutex<Set<PaymentID>>([])

    init(transport: any StoreTransport, keepsPayments: Bool) {
        self.transport = transport
        self.keepsPayments = keepsPayments
    }

    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        if keepsPayments, request.path == DeviceEndpoints.purchase.template, let body = request.body,
            var purchase = try? WireJSON.decode(PurchaseRequest.self, from: body)
        {
            let isNew = known.withLock { $0.insert(purchase.payment).inserted }
            if !isNew {
                purchase.payment = PaymentID(UUID())
                var changed = request
                changed.body = try? WireJSON.encode(purchase)
                return try await transport.send(changed)
            }
        }
        if !keepsPayments, request.path == DeviceEndpoints.finish.template {
            return StoreResponse(status: 200, body: Data("{}".utf8))
        }
        return try await transport.send(request)
    }
}
