package import PurchaseModel
package import ServerProtocol
package import Wire
package import WireClient

/// A backend with a secret key of a `tillroll-server`.
package struct ServerBackend: Sendable {
    /// The client of the server.
    package let wire: WireClient
    /// The secret key.
    package let key: String

    /// Creates a backend.
    package init(wire: WireClient, key: String) {
        self.wire = wire
        self.key = key
    }

    /// Calls an endpoint, for a customer if one is given.
    package func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ customer: CustomerID? = nil, parameters: [String: String] = [:]
    ) async throws -> Response {
        let headers = customer.map { [ServerHeader.customer: $0.rawValue] } ?? [:]
        return try await wire.call(endpoint, body, parameters: parameters, headers: headers, token: key)
    }

    /// Submits a transaction for a customer, or for the customer of its `appAccountToken`, and returns the result.
    ///
    /// - Throws: `WireClientError.refused` if the transaction is refused.
    @discardableResult
    package func submit(_ transaction: SignedTransaction, for customer: CustomerID? = nil) async throws -> SubmittedPurchase {
        let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(signedTransaction: transaction)])
        let reply = try await call(ServerEndpoints.purchases, request, customer)
        guard let result = reply.results.first, let purchase = result.purchases.first else {
            let error = WireError(code: reply.results.first?.code ?? "", message: reply.results.first?.message ?? "")
            throw WireClientError.refused(status: 422, error)
        }
        return purchase
    }

    /// Returns the credits of a customer.
    package func balance(of customer: CustomerID) async throws -> Int64 {
        try await call(ServerEndpoints.balances, Empty(), customer).amount()
    }

    /// Debits credits, and returns the balance.
    @discardableResult
    package func debit(_ amount: Int64, key: String, from customer: CustomerID) async throws -> Int64 {
        try await call(ServerEndpoints.debit, DebitRequest(idempotencyKey: key, amount: amount), customer).balance
    }
}
