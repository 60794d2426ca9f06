package import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the enabled faults of a local store, oldest first.
    package static let faults = Endpoint<Empty, FaultsReply>(.get, "/control/v1/faults")
    /// Enables a fault, a failure that a local store simulates.
    package static let setFault = Endpoint<Fault, FaultsReply.EnabledFault>(.post, "/control/v1/faults")
    /// Disables one fault of a local store.
    package static let clearFault = Endpoint<Empty, Empty>(.post, "/control/v1/faults/{fault}/clear")
    /// Disables all faults of a local store.
    package static let clearFaults = Endpoint<Empty, Empty>(.post, "/control/v1/faults/clear")
}

/// The enabled faults of a local store.
package struct FaultsReply: Codable, Hashable, Sendable {
    /// An enabled fault and its identifier.
    package struct EnabledFault: Codable, Hashable, Sendable {
        /// The identifier of the fault, with which ``ControlEndpoints/clearFault`` disables it.
        package var id: Int64
        /// The fault, with the remaining number of times that it takes effect.
        package var fault: Fault

        /// Creates an enabled fault.
        package init(id: Int64, fault: Fault) {
            self.id = id
            self.fault = fault
        }
    }

    /// The enabled faults, oldest first.
    package var faults: [EnabledFault]

    /// Creates a reply.
    package init(faults: [EnabledFault]) {
        self.faults = faults
    }
}

/// A failure that a local store simulates: its kind, its scope, and how many times it takes effect.
package struct Fault: Codable, Hashable, Sendable {
    /// The kind of failure.
    package var kind: FaultKind
    /// The protocol to which the fault is limited; nil for every protocol that the kind applies to.
    package var surface: FaultSurface?
    /// The beginning of the paths to which the fault is limited, without the prefixes for store and environment; nil for all paths.
    package var path: String?
    /// The app to which the fault is limited; nil for all apps.
    package var bundleID: BundleID?
    /// The account to which the fault is limited; nil for all accounts.
    package var account: AccountID?
    /// The product to which the fault is limited; nil for all products.
    package var productID: ProductID?
    /// The number of times that the fault still takes effect; nil for no limit.
    package var count: Int?

    /// Creates a fault that applies to all paths, apps, accounts and products.
    package init(_ kind: FaultKind, count: Int? = nil) {
        self.kind = kind
        self.count = count
    }
}

/// The kind of a simulated failure.
///
/// In JSON, a kind is an object with one key: `{"delay":{"milliseconds":500}}`, `{"lostReply":{}}`.
package enum FaultKind: Codable, Hashable, Sendable {
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
package enum FaultSurface: String, Codable, Hashable, Sendable, CaseIterable {
    /// The device API.
    case device
    /// `verifyReceipt`.
    case verifyReceipt
    /// The App Store Server API.
    case serverAPI
    /// The notifications that the store posts to developers' servers.
    case notifications
}
