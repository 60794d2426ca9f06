package import PurchaseModel

extension ControlEndpoints {
    /// Lists the enabled faults, oldest first.
    package static let faults = Endpoint<Empty, FaultsReply>(.get, "/control/v1/faults")
    /// Enables a fault.
    package static let setFault = Endpoint<Fault, FaultsReply.EnabledFault>(.post, "/control/v1/faults")
    /// Disables a fault.
    package static let clearFault = Endpoint<Empty, Empty>(.post, "/control/v1/faults/{fault}/clear")
    /// Disables all faults.
    package static let clearFaults = Endpoint<Empty, Empty>(.post, "/control/v1/faults/clear")
}

/// The enabled faults.
package struct FaultsReply: Codable, Hashable, Sendable {
    /// One fault and its identifier.
    package struct EnabledFault: Codable, Hashable, Sendable {
        /// The identifier, which disables the fault.
        package var id: Int64
        /// The fault, with its remaining count.
        package var fault: Fault

        /// Creates an element.
        package init(id: Int64, fault: Fault) {
            self.id = id
            self.fault = fault
        }
    }

    /// The faults, oldest first.
    package var faults: [EnabledFault]

    /// Creates a reply.
    package init(faults: [EnabledFault]) {
        self.faults = faults
    }
}

/// A simulated failure: its kind, its scope, and its number of occurrences.
package struct Fault: Codable, Hashable, Sendable {
    /// The kind of failure.
    package var kind: FaultKind
    /// The protocol that the fault is limited to; nil for every protocol that the kind applies to.
    package var surface: FaultSurface?
    /// The path prefix that the fault is limited to, without the prefixes of store and environment.
    package var path: String?
    /// The app that the fault is limited to.
    package var bundleID: BundleID?
    /// The account that the fault is limited to.
    package var account: AccountID?
    /// The product that the fault is limited to.
    package var productID: ProductID?
    /// The number of remaining occurrences; nil until the fault is disabled.
    package var count: Int?

    /// Creates a fault without a limited scope.
    package init(_ kind: FaultKind, count: Int? = nil) {
        self.kind = kind
        self.count = count
    }
}

/// The kind of a simulated failure.
///
/// In JSON an object with one key: `{"delay":{"milliseconds":500}}`, `{"lostReply":{}}`.
package enum FaultKind: Codable, Hashable, Sendable {
    /// The response to a call is delayed, by the machine's clock.
    case delay(milliseconds: Int64)
    /// The store processes a call, and then closes the connection without a response.
    case lostReply
    /// The store does not process a call, and responds with this HTTP status and the retry delay in the form of the protocol.
    case status(code: Int, retryAfterSeconds: Int64?)
    /// `verifyReceipt` responds with only this status.
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
    /// A notification is sent after the following one, or after an hour.
    case notificationReordered
    /// A notification is delayed, by the store's clock.
    case notificationDelayed(seconds: Int64)
    /// Signed data has an invalid signature or certificate chain; the name is one of `expiredIntermediate`, `expiredLeaf`, `revokedLeaf`,
    /// `leafWithoutMarker`, `intermediateWithoutMarker`, `wrongRoot`, `swappedChain`, `changedPayload`, `wrongKey`, `noX5C` and
    /// `algNone`.
    ///
    /// The fault applies to every call whose response contains signed data: for devices, purchases, unfinished transactions, restores,
    /// receipts, histories, redeemed codes, managed subscriptions and app transactions.
    case signing(fault: String)
}

/// The protocol that a fault applies to.
///
/// Faults never apply to the control API.
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
