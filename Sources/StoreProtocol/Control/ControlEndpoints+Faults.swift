public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the enabled faults of a local store, oldest first.
    package static let faults = Endpoint<Empty, FaultsReply>(.get, "/control/v1/faults")
    /// Enables a fault, a failure that a local store simulates.
    package static let setFault = Endpoint<Fault, EnabledFault>(.post, "/control/v1/faults")
    /// Disables one fault of a local store.
    package static let clearFault = Endpoint<Empty, Empty>(.post, "/control/v1/faults/{fault}/clear")
    /// Disables all faults of a local store.
    package static let clearFaults = Endpoint<Empty, Empty>(.post, "/control/v1/faults/clear")
}

/// An enabled fault and its identifier.
public struct EnabledFault: Codable, Hashable, Sendable {
    /// The identifier of the fault, with which a client disables it.
    public var id: Int64
    /// The fault, with the remaining number of times that it takes effect.
    public var fault: Fault

    /// Creates an enabled fault.
    package init(id: Int64, fault: Fault) {
        self.id = id
        self.fault = fault
    }
}

/// The enabled faults of a local store.
package struct FaultsReply: Codable, Hashable, Sendable {
    /// The enabled faults, oldest first.
    package var faults: [EnabledFault]

    /// Creates a reply.
    package init(faults: [EnabledFault]) {
        self.faults = faults
    }
}

/// A failure that a local store simulates: its kind, its scope, and how many times it takes effect.
public struct Fault: Codable, Hashable, Sendable {
    /// The kind of failure.
    public var kind: FaultKind
    /// The protocol to which the fault is limited; nil for every protocol that the kind applies to.
    public var surface: FaultSurface?
    /// The beginning of the paths to which the fault is limited, without the prefixes for store and environment; nil for all paths.
    public var path: String?
    /// The app to which the fault is limited; nil for all apps.
    public var bundleID: BundleID?
    /// The account to which the fault is limited; nil for all accounts.
    public var account: AccountID?
    /// The product to which the fault is limited; nil for all products.
    public var productID: ProductID?
    /// The number of times that the fault still takes effect; nil for no limit.
    public var count: Int?

    /// Creates a fault, which by default applies to all protocols, paths, apps, accounts and products.
    ///
    /// - Parameters:
    ///   - kind: The kind of failure.
    ///   - count: The number of times that the fault takes effect; nil for no limit.
    ///   - surface: The protocol to which the fault is limited; nil for every protocol that the kind applies to.
    ///   - path: The beginning of the paths to which the fault is limited; nil for all paths.
    ///   - bundleID: The app to which the fault is limited; nil for all apps.
    ///   - account: The account to which the fault is limited; nil for all accounts.
    ///   - productID: The product to which the fault is limited; nil for all products.
    public init(
        _ kind: FaultKind, count: Int? = nil, surface: FaultSurface? = nil, path: String? = nil, bundleID: BundleID? = nil,
        account: AccountID? = nil, productID: ProductID? = nil
    ) {
        self.kind = kind
        self.count = count
        self.surface = surface
        self.path = path
        self.bundleID = bundleID
        self.account = account
        self.productID = productID
    }
}

/// The kind of a simulated failure.
///
/// In JSON, a kind is an object with one key: `{"delay":{"milliseconds":500}}`, `{"lostReply":{}}`.
public enum FaultKind: Codable, Hashable, Sendable {
    /// The response to a call is delayed by real time, regardless of the store's clock.
    case delay(milliseconds: Int64)
    /// The store processes a call, and then closes the connection without a response.
    case lostReply
    /// The store does not process a call, and responds with this HTTP status and, unless nil, a `Retry-After` header.
    case status(code: Int, retryAfterSeconds: Int64?)
    /// `verifyReceipt` responds with this value of `status`, and with `is-retryable` unless nil, but without a receipt.
    case verifyReceiptStatus(code: Int, isRetryable: Bool?)
    /// `verifyReceipt` responds with an HTML page instead of JSON, as it does when it is overloaded.
    case verifyReceiptOutage
    /// Dates in signed data and in responses are wrong by a number of seconds.
    case clockSkew(seconds: Int64)
    /// The store refuses a purchase with an `SKError` code.
    case purchaseRefused(code: Int)
    /// A notification is never sent.
    case notificationLost
    /// A notification is sent twice.
    case notificationDuplicated
    /// A notification is sent after the next notification, or after an hour.
    case notificationReordered
    /// A notification is delayed by a number of seconds of the store's clock.
    case notificationDelayed(seconds: Int64)
    /// Signed data has an invalid signature or certificate chain.
    ///
    /// The name is one of `expiredIntermediate`, `expiredLeaf`, `revokedLeaf`, `leafWithoutMarker`, `intermediateWithoutMarker`,
    /// `wrongRoot`, `swappedChain`, `changedPayload`, `wrongKey`, `noX5C` and `algNone`. The fault applies to every call whose response
    /// contains signed data. In the device API, these are purchases, unfinished transactions, restores, receipts, histories, redeemed
    /// codes, managed subscriptions and app transactions.
    case signing(fault: String)
}

/// The protocol in which a fault takes effect.
///
/// Faults never take effect in the control API.
public enum FaultSurface: String, Codable, Hashable, Sendable, CaseIterable {
    /// The device API.
    case device
    /// `verifyReceipt`.
    case verifyReceipt
    /// The App Store Server API.
    case serverAPI
    /// The notifications that the store posts to developers' servers.
    case notifications
}
