public import Foundation
import FoundationExtras
public import PurchaseModel
public import StoreProtocol
import Wire

extension StoreClient {
    /// Lists the apps of the store.
    ///
    /// - Returns: The apps, sorted by bundle identifier.
    public func apps() async throws(StoreControlError) -> [AppDescription] {
        try await call(ControlEndpoints.apps).apps
    }

    /// Changes an app, or adds it to the store.
    ///
    /// ```swift
    /// try await store.setApp("com.example.app") { $0.sandboxURL = "http://127.0.0.1:8000/notifications" }
    /// ```
    ///
    /// - Parameters:
    ///   - app: The bundle identifier of the app.
    ///   - change: A closure that sets the properties to change; properties that are nil stay unchanged.
    /// - Returns: The app after the change.
    /// - Throws: `invalidRequest` for a `.storekit` file that is not JSON, and `refused` for any other value that is invalid.
    @discardableResult
    public func setApp(
        _ app: BundleID, _ change: (inout AppRequest) -> Void
    ) async throws(StoreControlError) -> AppDescription {
        var request = AppRequest()
        change(&request)
        if let file = request.storekitFile { try Self.checkJSON(file, "storekitFile") }
        return try await call(ControlEndpoints.setApp, request, ["bundle": app.rawValue])
    }

    /// Lists the products of an app.
    ///
    /// - Parameter app: The bundle identifier of the app; nil for the store's first app, with one more request.
    /// - Returns: The products, with the prices of the store's storefront.
    /// - Throws: `refused` for an app that the store does not have.
    public func products(of app: BundleID? = nil) async throws(StoreControlError) -> [StoreProduct] {
        try await call(ControlEndpoints.products, ["bundle": try await firstApp(unless: app).rawValue]).products
    }

    /// Reads the catalog of an app as a `.storekit` file.
    ///
    /// - Parameter app: The bundle identifier of the app; nil for the store's first app, with one more request.
    /// - Returns: The contents of the file, with the keys that the store does not use.
    /// - Throws: `refused` for an app that the store does not have.
    public func storekitFile(of app: BundleID? = nil) async throws(StoreControlError) -> Data {
        try await call(ControlEndpoints.storekit, ["bundle": try await firstApp(unless: app).rawValue]).data
    }

    /// Uploads the hosted content of a product, which replaces its earlier content.
    ///
    /// - Parameters:
    ///   - content: The bytes of the content.
    ///   - product: The product identifier.
    ///   - app: The bundle identifier of the app; nil for the store's first app, with one more request.
    /// - Throws: `refused` for a product or an app that the store does not have.
    public func upload(_ content: Data, of product: ProductID, app: BundleID? = nil) async throws(StoreControlError) {
        let bundleID = try await firstApp(unless: app)
        let path = PathTemplate.fill(HostEndpoints.contentPath, ["bundle": bundleID.rawValue, "product": product.rawValue])
        _ = try await transfer("PUT", path, contentType: "application/octet-stream", content)
    }

    /// Reads the rate limits of the App Store Server API, and whether the store enforces them.
    ///
    /// - Returns: The limits.
    public func rateLimits() async throws(StoreControlError) -> RateLimitsReply {
        try await call(ControlEndpoints.rateLimitState)
    }

    /// Enables or disables the App Store's rate limits for the App Store Server API; a new store has no limits.
    ///
    /// - Parameter isEnabled: Whether the store enforces the limits.
    public func setRateLimits(isEnabled: Bool) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.rateLimits, RateLimitsRequest(isEnabled: isEnabled))
    }

    private func firstApp(unless app: BundleID?) async throws(StoreControlError) -> BundleID {
        if let app { return app }
        return try await description().bundleID
    }
}
