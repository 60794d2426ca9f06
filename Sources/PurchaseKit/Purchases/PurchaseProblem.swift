public import Foundation
public import PurchaseModel
import PurchaseProof

/// A current problem with purchases, with sentences for the user that state the problem and the next step.
///
/// A problem disappears from the state when the cause is resolved.
public struct PurchaseProblem: Hashable, Sendable, Identifiable {
    /// The kind of a problem, for an app that shows custom messages.
    public enum Kind: Hashable, Sendable {
        /// The store could not be reached; the products are requested again automatically.
        case storeUnreachable
        /// The server could not be reached; requests are repeated automatically.
        case serverUnreachable
        /// The server refuses the app's requests, for example because its publishable key was revoked or lacks a scope.
        case serverRefused
        /// The customer token is no longer valid, and the app could not obtain another token.
        case signInExpired
        /// A paid purchase is not delivered yet; the delivery is retried automatically.
        case deliveryDelayed(ProductID)
        /// A paid purchase can't be delivered.
        case deliveryRefused(ProductID)
        /// The purchase belongs to another customer of the app.
        case otherCustomer(ProductID)
        /// A transaction can't be verified, so nothing was delivered.
        case unverifiedPurchase
        /// Other code of the app, such as another library, has finished a transaction of the product before the delivery.
        case finishedElsewhere(ProductID)
        /// The payment method declined a renewal of the subscription.
        case billingIssue(ProductID)
        /// The price of a subscription increases, and the customer has to consent.
        case priceIncreaseConsent(ProductID)
        /// The clock of the device is earlier than the dates that the App Store has signed.
        case clockSetBack
        /// The app's data was restored from a backup; credits can't be spent until the balance is confirmed.
        case restoredFromBackup
        /// An entitlement of the server's lease, such as a grant, ends at this date unless the device reaches the server before.
        case offlineUseEnds(Date)
    }

    /// The kind of the problem.
    public let kind: Kind
    /// A sentence that states the problem.
    public let message: String
    /// A sentence that states the user's next step.
    public let nextStep: String

    /// The kind, because the state contains at most one problem of each kind.
    public var id: Kind { kind }

    init(_ kind: Kind, _ message: String, _ nextStep: String) {
        self.kind = kind
        self.message = message
        self.nextStep = nextStep
    }

    /// Creates a problem with the sentences for its kind.
    init(_ kind: Kind) {
        switch kind {
        case .storeUnreachable:
            self.init(kind, "The App Store can't be reached.", "Check the network connection. Prices appear automatically.")
        case .serverUnreachable:
            self.init(kind, "The server can't be reached.", "Check the network connection. Purchases are safe and are completed later.")
        case .serverRefused:
            self.init(kind, "The server does not accept this version of the app.", "Update the app, or contact support.")
        case .signInExpired: self.init(kind, "You are signed out.", "Sign in again to use your purchases.")
        case .deliveryDelayed:
            self.init(kind, "A purchase is not complete yet.", "The purchase is completed automatically. You are not charged again.")
        case .deliveryRefused: self.init(kind, "A purchase could not be completed.", "Contact support; the payment is recorded.")
        case .otherCustomer:
            self.init(kind, "A purchase belongs to another account of this app.", "Sign in with that account to use the purchase.")
        case .unverifiedPurchase:
            self.init(
                kind, "A purchase could not be verified.",
                "The purchase is delivered when it can be verified. Contact support if the purchase stays missing.")
        case .finishedElsewhere:
            self.init(kind, "A purchase was paid, and could not be completed.", "Contact support; the App Store has recorded the payment.")
        case .billingIssue:
            self.init(kind, "The payment for a subscription was declined.", "Update your payment method in the App Store's settings.")
        case .priceIncreaseConsent:
            self.init(kind, "The price of a subscription increases.", "Agree to the new price to keep the subscription.")
        case .clockSetBack:
            self.init(kind, "The date of this device is wrong.", "Turn on the automatic date and time in the settings.")
        case .restoredFromBackup:
            self.init(
                kind, "Your purchases were restored from a backup, and your balance is not confirmed yet.",
                "Check the network connection. Your purchases can be used meanwhile.")
        case .offlineUseEnds(let date):
            self.init(
                kind, "Without a network, some of your access ends at \(date.formatted()).",
                "Connect to the network once before that date.")
        }
    }
}

/// The problems of the store, the server, purchases and subscriptions.
struct ProblemList: Sendable {
    private static let connectionKinds: [PurchaseProblem.Kind] = [
        .storeUnreachable, .serverUnreachable, .serverRefused, .signInExpired, .clockSetBack, .unverifiedPurchase, .restoredFromBackup,
    ]

    private var connection: Set<PurchaseProblem.Kind> = []
    private var unverified: Set<SignedTransaction> = []
    private var purchases: [TransactionID: PurchaseProblem.Kind] = [:]
    private var subscriptions: [PurchaseProblem.Kind] = []
    private var finishedElsewhere: [PurchaseProblem.Kind] = []
    /// The end of the lease in the last quarter of its duration, if an entitlement depends on the lease; otherwise nil.
    var offlineUseEnds: Date?

    /// The problems, in a fixed order.
    var all: [PurchaseProblem] {
        let kinds =
            Self.connectionKinds.filter { connection.contains($0) } + [offlineUseEnds].compactMap { $0.map { .offlineUseEnds($0) } }
            + purchases.sorted { $0.key < $1.key }.map(\.value) + finishedElsewhere + subscriptions
        var seen: Set<PurchaseProblem.Kind> = []
        return kinds.filter { seen.insert($0).inserted }.map { PurchaseProblem($0) }
    }

    mutating func set(_ kind: PurchaseProblem.Kind, _ exists: Bool) {
        if exists { connection.insert(kind) } else { connection.remove(kind) }
    }

    /// Adds the problem that other code has finished a transaction; the problem stays until the app session ends.
    mutating func noteFinishedElsewhere(_ product: ProductID) {
        finishedElsewhere.append(.finishedElsewhere(product))
    }

    /// Clears the unverified transactions before another verification.
    mutating func forgetUnverified() {
        unverified = []
        connection.remove(.unverifiedPurchase)
    }

    /// Records or clears the problem of a purchase, according to the result of its delivery.
    mutating func note(_ result: FulfillmentResult) {
        if let purchase = result.purchase, unverified.remove(purchase.transaction.original) != nil {
            set(.unverifiedPurchase, !unverified.isEmpty)
        }
        switch result {
        case .delivered(let purchase, _, _), .revoked(let purchase), .undelivered(let purchase, .paused): purchases[purchase.id] = nil
        case .undelivered(let purchase, .later): purchases[purchase.id] = .deliveryDelayed(purchase.productID)
        case .undelivered(let purchase, .refused): purchases[purchase.id] = .deliveryRefused(purchase.productID)
        case .otherCustomer(let purchase, _): purchases[purchase.id] = .otherCustomer(purchase.productID)
        case .unverified(let signed):
            unverified.insert(signed)
            connection.insert(.unverifiedPurchase)
        }
    }

    /// Reads the problems that the renewal info of subscriptions states.
    mutating func readSubscriptions(_ entitlements: [EntitlementName: EntitlementState], in contents: VaultContents) {
        // Select the entitlements with a problem first, so that few of thousands of entitlements are sorted.
        let affected = entitlements.values.compactMap { entitlement -> (EntitlementName, [PurchaseProblem.Kind])? in
            guard let product = entitlement.productID, let original = entitlement.originalTransactionID else { return nil }
            var kinds: [PurchaseProblem.Kind] = []
            if entitlement.state == .gracePeriod || entitlement.state == .billingRetry { kinds.append(.billingIssue(product)) }
            if entitlement.isActive, contents.renewal(of: original)?.priceIncrease == .notAnswered {
                kinds.append(.priceIncreaseConsent(product))
            }
            return kinds.isEmpty ? nil : (entitlement.name, kinds)
        }
        subscriptions = affected.sorted { $0.0 < $1.0 }.flatMap(\.1)
    }
}
