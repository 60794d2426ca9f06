import Foundation
import Hummingbird
import NIOCore
import PurchaseKit
import PurchaseModel
import Synchronization

/// A server of the developer in this process that accepts every debit, and a network that can be switched off.
final class StubServer: Sendable {
    private struct Debit: Decodable {
        let amount: Int64
        let currency: CurrencyID
    }

    private let balance = Atomic<Int64>(1_000_000)
    private let isOnline = Atomic(true)

    /// Switches the network on or off.
    func setOnline(_ isOn: Bool) {
        isOnline.store(isOn, ordering: .relaxed)
    }

    /// Starts the server on a loopback port, and returns a connection to it.
    func start() async throws -> ServerConnection {
        let url = try await router().serve()
        return ServerConnection(
            serverURL: url, deviceVerificationID: nil, isReachable: { self.isOnline.load(ordering: .relaxed) },
            credentials: { _ in ServerCredentials(publishableKey: "pk", customerToken: "token", verificationKeys: nil) })
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("/v1/customer/debits") { request, context in
            let debit = try await request.decode(as: Debit.self, context: context)
            let balance = self.balance.subtract(debit.amount, ordering: .relaxed).newValue
            return Self.response(#"{"currency":"\#(debit.currency)","balance":\#(balance),"isRepeated":false}"#)
        }
        router.get("/v1/customer/balances") { _, _ in
            let balance = self.balance.load(ordering: .relaxed)
            return Self.response(#"{"balances":[{"currency":"coins","amount":\#(balance),"isFrozen":false}]}"#)
        }
        return router
    }

    private static func response(_ json: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json)))
    }
}
