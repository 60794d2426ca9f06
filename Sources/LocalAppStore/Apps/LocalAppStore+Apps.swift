import PurchaseModel
package import PurchaseProtocol

extension LocalAppStore {
    /// Changes the first app; a field that is nil in the request keeps its value.
    ///
    /// - Throws: An error with a sentence for the invalid field.
    @discardableResult
    package func set(_ request: AppRequest) async throws -> AppDescription {
        try await ledger.setApp(ledger.apps.defaultBundleID, request)
    }

    /// The description of the first app.
    package var app: AppDescription? { ledger.apps[ledger.apps.defaultBundleID]?.description }
}
