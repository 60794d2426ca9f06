public import Foundation
public import PurchaseModel
package import StoreProtocol

extension LocalAppStore {
    /// Changes the store's first app; properties that are nil in the request keep their values.
    ///
    /// - Throws: An error that names the invalid property, if the request has one.
    @discardableResult
    package func set(_ request: AppRequest) async throws -> AppDescription {
        try await storeServices.appSettings.setApp(context.apps.defaultBundleID, request)
    }

    /// Sets the hosted content of a product of the store's first app, unless it has some, or the store does not sell the product.
    ///
    /// - Parameters:
    ///   - data: The bytes of the content.
    ///   - version: The version of the content: integers separated by periods, such as `1.0`.
    ///   - product: The product.
    /// - Throws: An error if the version is invalid, or if the store's file can't be written.
    public func addContent(_ data: Data, version: String, of product: ProductID) async throws {
        let app = context.apps.defaultBundleID
        guard try context.apps.require(app).catalog.product(product) != nil,
            try await context.read({ db in try self.storeServices.contents.content(of: product, in: app, db) }) == nil
        else { return }
        try await storeServices.contents.setContent(data, version: version, of: product, in: app)
    }

    /// Changes the products of the store's first app; concurrent changes follow one another.
    ///
    /// - Parameter body: Returns the changed catalog.
    /// - Throws: The error of the closure, or an error if the store's file can't be written.
    public func changeCatalog(_ body: @escaping @Sendable (Catalog) throws -> Catalog) async throws {
        try await storeServices.appSettings.changeCatalog(of: context.apps.defaultBundleID, body)
    }

    /// The products of the store's first app.
    public var catalog: Catalog { context.apps[context.apps.defaultBundleID]?.catalog ?? .empty }

    /// The store's first app in the control API's format.
    package var app: AppDescription? { context.apps[context.apps.defaultBundleID]?.description }
}
