import Foundation
import HTTPTypes
import Hummingbird
import PurchaseModel
import WireServer

/// Answers devices; see `DeviceEndpoints`.
struct DeviceController<Context: RequestContext>: Sendable {
    let ledger: StoreLedger

    func addRoutes(to router: Router<Context>) {
        router.mount(DeviceEndpoints.signIn) { body, _, _ in
            try await ledger.signIn(body)
        }
        router.mount(DeviceEndpoints.products) { body, _, _ in
            try products(body)
        }
        router.mount(DeviceEndpoints.purchase) { body, request, _ in
            try await ledger.buy(body, by: try await session(of: request))
        }
        router.mount(DeviceEndpoints.unfinished) { _, request, _ in
            try await ledger.unfinished(of: try await session(of: request))
        }
        router.mount(DeviceEndpoints.finish) { body, request, _ in
            try await ledger.finish(body.transaction, of: try await session(of: request))
            return Empty()
        }
        router.mount(DeviceEndpoints.restore) { body, request, _ in
            try await ledger.restore(body, by: try await session(of: request))
        }
        router.mount(DeviceEndpoints.receipt) { body, request, _ in
            ReceiptReply(receipt: try await ledger.receipt(for: try await session(of: request), expired: body.expired))
        }
    }

    private func products(_ request: ProductsRequest) throws -> ProductsReply {
        guard request.productIDs.count <= ProductsRequest.limit else { throw StoreError.tooManyProducts }
        let asked = Set(request.productIDs).sorted()
        return ProductsReply(
            products: asked.compactMap { ledger.catalogue.product($0) },
            invalidProductIDs: asked.filter { ledger.catalogue.product($0) == nil }
        )
    }

    private func session(of request: Request) async throws -> SessionRow {
        guard let header = request.headers[.authorization], header.lowercased().hasPrefix("bearer ") else { throw StoreError.signedOut }
        return try await ledger.session(token: String(header.dropFirst("bearer ".count)))
    }
}
