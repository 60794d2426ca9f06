import PurchaseModel
package import PurchaseProtocol

extension LocalAppStore {
    /// Changes the first app; what is nil in the request stays.
    ///
    /// - Throws: An error with a sentence when something in it cannot be used.
    @discardableResult
    package func set(_ request: AppRequest) async throws -> AppDescription {
        try await ledger.set(ledger.apps.first, request)
    }

    /// What is known about the first app.
    package var app: AppDescription? { ledger.apps[ledger.apps.first]?.description }
}
