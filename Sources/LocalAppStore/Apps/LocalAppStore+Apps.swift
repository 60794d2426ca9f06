package import Foundation
package import PurchaseModel
package import PurchaseProtocol

extension LocalAppStore {
    /// Changes the store's first app; properties that are nil in the request keep their values.
    ///
    /// - Throws: An error that names the invalid property, if the request has one.
    @discardableResult
    package func set(_ request: AppRequest) async throws -> AppDescription {
        try await context.appSettings.setApp(context.apps.defaultBundleID, request)
    }

    /// Sets the hosted content of a product of the store's first app; has no effect if the store does not sell the product.
    ///
    /// - Parameter version: The version of the content: integers separated by periods, such as `1.0`.
    package func setContent(_ data: Data, version: String, of product: ProductID) async throws {
        let app = context.apps.defaultBundleID
        guard try context.apps.require(app).catalog.product(product) != nil else { return }
        try await context.contents.setContent(data, version: version, of: product, in: app)
    }

    /// The products of the store's first app.
    package var catalog: Catalog { context.apps[context.apps.defaultBundleID]?.catalog ?? .empty }

    /// The store's first app in the control API's format.
    package var app: AppDescription? { context.apps[context.apps.defaultBundleID]?.description }
}
