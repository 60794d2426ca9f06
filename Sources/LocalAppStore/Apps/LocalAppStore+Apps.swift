import PurchaseModel
package import PurchaseProtocol

extension LocalAppStore {
    /// Changes the store's first app; properties that are nil in the request keep their values.
    ///
    /// - Throws: An error that names the invalid property, if the request has one.
    @discardableResult
    package func set(_ request: AppRequest) async throws -> AppDescription {
        try await context.appSettings.setApp(context.apps.defaultBundleID, request)
    }

    /// The store's first app in the control API's format.
    package var app: AppDescription? { context.apps[context.apps.defaultBundleID]?.description }
}
