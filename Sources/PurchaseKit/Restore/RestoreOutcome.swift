public import Foundation
public import PurchaseModel

/// A source of purchases that can be restored.
public enum RestoreSource: Hashable, Sendable {
    /// The App Store's account that is signed in on the device.
    case store
    /// The developer's server, for the app's customer.
    case server
}

/// A product that a person can restore.
public struct RestorableProduct: Hashable, Sendable, Identifiable {
    /// The restorable product.
    public let productID: ProductID
    /// The date of the latest purchase or renewal.
    public let purchaseDate: Date
    /// The end of the paid period; nil for a purchase without an end.
    public let until: Date?
    /// Whether the purchase is delivered on this device already.
    public let isDelivered: Bool
    /// The sources that have the purchase.
    public let sources: Set<RestoreSource>
    /// Whether the account of the App Store has bought the product for another customer of the app, such as an anonymous customer.
    ///
    /// If the person chooses the product, the server's transfer policy decides whether the purchase moves to the app's customer.
    public let isOfOtherCustomer: Bool

    /// The identifier of the product.
    public var id: ProductID { productID }
}

/// The outcome of a restore; each call returns exactly one outcome.
public enum RestoreOutcome: Hashable, Sendable {
    /// The restore is complete; the associated value states the changes.
    case completed(RestoreDifference)
    /// Neither the store nor the server has a purchase to restore; the value contains the sources that could not be reached.
    case nothingToRestore(unreachable: Set<RestoreSource>)
    /// The user canceled the sign-in; show no message.
    case canceled
    /// The restore failed.
    case failed(PurchaseFailure)
}

/// The changes that a restore made.
public struct RestoreDifference: Hashable, Sendable {
    /// The products that were delivered and were not on this device before.
    public var gained: [ProductID] = []
    /// The chosen products that were on this device before.
    public var kept: [ProductID] = []
    /// The products that the customer no longer has, for example because of a refund.
    public var lost: [ProductID] = []
    /// The products that the person did not choose, which stay unchanged.
    public var declined: [ProductID] = []
    /// The chosen products that could not be delivered, and that a later restore can deliver.
    public var undelivered: [ProductID] = []
    /// The change of each balance in credits, without unchanged balances.
    public var balances: [CurrencyID: Int64] = [:]
    /// The previous customer of each restored product that the server assigned to the app's customer, with the rule of the assignment.
    public var previousOwners: [ProductID: PreviousOwner] = [:]
    /// The sources that could not be reached.
    public var unreachable: Set<RestoreSource> = []

    /// Creates an empty difference.
    public init() {}
}
