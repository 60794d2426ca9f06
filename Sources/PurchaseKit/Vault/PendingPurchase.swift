public import Foundation
public import PurchaseModel

/// A purchase that needs an action outside of the app, such as the approval of a parent (Ask to Buy).
public struct PendingPurchase: Codable, Hashable, Sendable, Identifiable {
    /// The seconds after which the App Store drops a request for permission (24 hours).
    static let secondsUntilExpiration: Int64 = 86_400

    /// The identifier of the request on this device.
    public let id: UUID
    /// The requested product.
    public let productID: ProductID
    /// The requested quantity.
    public let quantity: Int
    /// The date of the request.
    public let requestedAt: Timestamp
}
