package import PurchaseModel

extension ControlEndpoints {
    /// The faults that are switched on, oldest first.
    package static let faults = Endpoint<Empty, FaultsReply>(.get, "/control/v1/faults")
    /// Switches a fault on.
    package static let setFault = Endpoint<Fault, FaultsReply.Entry>(.post, "/control/v1/faults")
    /// Switches a fault off.
    package static let clearFault = Endpoint<Empty, Empty>(.post, "/control/v1/faults/{fault}/clear")
    /// Switches every fault off.
    package static let clearFaults = Endpoint<Empty, Empty>(.post, "/control/v1/faults/clear")
}

/// The faults that are switched on.
package struct FaultsReply: Codable, Hashable, Sendable {
    /// One fault and its number.
    package struct Entry: Codable, Hashable, Sendable {
        /// The number, by which it is switched off.
        package var id: Int64
        /// The fault; its count is what is left of it.
        package var fault: Fault

        /// Creates an element.
        package init(id: Int64, fault: Fault) {
            self.id = id
            self.fault = fault
        }
    }

    /// The faults, oldest first.
    package var faults: [Entry]

    /// Creates a reply.
    package init(faults: [Entry]) {
        self.faults = faults
    }
}

/// Something that goes wrong on purpose: what, for whom, and how often.
package struct Fault: Codable, Hashable, Sendable {
    /// What goes wrong.
    package var kind: FaultKind
    /// Only in this protocol; nil for each that the kind concerns.
    package var surface: FaultSurface?
    /// Only for calls whose path begins so, without the prefixes of store and environment.
    package var path: String?
    /// Only in this app.
    package var bundleID: BundleID?
    /// Only for this account.
    package var account: AccountID?
    /// Only with this product.
    package var productID: ProductID?
    /// How many more times; nil until it is switched off.
    package var count: Int?

    /// Creates a fault without limits.
    package init(_ kind: FaultKind, count: Int? = nil) {
        self.kind = kind
        self.count = count
    }
}

/// What can go wrong on purpose.
///
/// On the wire an object with one key: `{"delay":{"milliseconds":500}}`, `{"lostReply":{}}`.
package enum FaultKind: Codable, Hashable, Sendable {
    /// The answer to a call comes late, by the machine's time.
    case delay(milliseconds: Int64)
    /// A call is carried out; then the connection is closed instead of an answer.
    case lostReply
    /// A call is not carried out, and answered with this HTTP status, and when to ask again in its protocol's words.
    case status(code: Int, retryAfterSeconds: Int64?)
    /// `verifyReceipt` answers with this status and nothing else.
    case verifyReceiptStatus(code: Int, isRetryable: Bool?)
    /// `verifyReceipt` answers as it does when it is overloaded: with a page instead of JSON.
    case verifyReceiptOutage
    /// What is signed and answered is dated by a clock that is wrong by some seconds.
    case wrongClock(seconds: Int64)
    /// A purchase is refused, with a code of `SKError`'s.
    case purchaseRefused(code: Int)
    /// A notification is never sent.
    case notificationLost
    /// A notification is sent twice.
    case notificationDoubled
    /// A notification waits until another one has overtaken it, or an hour has passed.
    case notificationShuffled
    /// A notification is sent later, by the store's time.
    case notificationLate(seconds: Int64)
    /// What is signed is signed wrongly; the name is one of `expiredIntermediate`, `expiredLeaf`, `revokedLeaf`, `leafWithoutMarker`,
    /// `intermediateWithoutMarker`, `wrongRoot`, `swappedChain`, `changedPayload`, `wrongKey`, `noX5C` and `algNone`.
    ///
    /// Concerns every call that is answered with something signed: of devices, all of purchases, what is unfinished, restores, receipts,
    /// histories, redeemed codes, managed subscriptions and app transactions.
    case signing(fault: String)
}

/// Where a fault can be felt.
///
/// What people and tests do to a store never fails on purpose.
package enum FaultSurface: String, Codable, Hashable, Sendable, CaseIterable {
    /// The protocol of devices.
    case device
    /// `verifyReceipt`.
    case verifyReceipt
    /// The App Store Server API.
    case serverAPI
    /// What is posted to developers' servers.
    case notifications
}
