public import Foundation
public import PurchaseModel
public import StoreKit

/// The outcome of a purchase; each call returns exactly one outcome.
public enum PurchaseOutcome: Hashable, Sendable {
    /// The purchase is paid; the associated value states whether the purchase is delivered.
    case purchased(Purchase, DeliveryStatus)
    /// The purchase waits for an approval or another action outside of the app; a later success is announced as an event.
    case pending
    /// The user canceled the purchase; show no message.
    case canceled
    /// The product is not purchased, for the reason that the failure states.
    ///
    /// After ``PurchaseFailure/Kind-swift.enum/unverified``, the customer may have been charged; the transaction then stays unfinished. An
    /// interrupted purchase, which StoreKit reports as failed, can succeed later, and is then announced as an event.
    case failed(PurchaseFailure)
}

extension PurchaseOutcome {
    /// Creates the outcome of a purchase that StoreKit reported as successful.
    init(_ result: FulfillmentResult) {
        self =
            switch result {
            case .delivered(let purchase, _, _): .purchased(purchase, .delivered)
            case .undelivered(let purchase, .later(let reason)): .purchased(purchase, .delayed(reason))
            case .undelivered(let purchase, .refused(let reason)): .purchased(purchase, .refused(reason))
            case .undelivered(let purchase, let error): .purchased(purchase, .delayed(error.description))
            case .otherCustomer(let purchase, _): .purchased(purchase, .otherCustomer)
            case .revoked(let purchase): .purchased(purchase, .revoked)
            case .unverified: .failed(PurchaseFailure(.unverified))
            }
    }
}

/// Whether a paid purchase is delivered.
public enum DeliveryStatus: Hashable, Sendable {
    /// The purchase is delivered, and its transaction finished.
    case delivered
    /// The purchase is delivered automatically later; the associated value is a sentence for the user.
    case delayed(String)
    /// The purchase can't be delivered in this app session; the associated value is a sentence for the user.
    case refused(String)
    /// The purchase belongs to another customer of the app. Without a server, the purchase is delivered when that customer is signed in.
    case otherCustomer
    /// The purchase was refunded or revoked before the delivery; the transaction is finished.
    case revoked

    /// A sentence for the user; nil for a delivered purchase.
    public var message: String? {
        switch self {
        case .delivered: nil
        case .delayed(let sentence), .refused(let sentence): sentence
        case .otherCustomer: "This purchase belongs to another account of this app. Sign in with that account to use the purchase."
        case .revoked: "The purchase was refunded."
        }
    }
}

/// The reason why a purchase or another request failed.
public struct PurchaseFailure: Error, Hashable, Sendable {
    /// The kind of a failure, for an app that shows custom messages.
    public enum Kind: Hashable, Sendable {
        /// The store could not be reached.
        case network
        /// The user isn't allowed to make payments.
        case purchaseNotAllowed
        /// The store does not sell the product in the customer's storefront.
        case productUnavailable
        /// The quantity is not from 1 to 10, or the product allows only 1.
        case invalidQuantity
        /// The offer is not valid, or the customer is not eligible for the offer.
        case invalidOffer
        /// The transaction can't be verified, and is neither delivered nor finished.
        case unverified
        /// Other code of the app has finished the transaction before the delivery, so the signed data is lost.
        ///
        /// Only one observer of the payment queue may finish transactions.
        case finishedElsewhere
        /// The store or the system failed.
        case store
    }

    /// The kind of the failure.
    public let kind: Kind
    /// A sentence that states the failure.
    public let message: String
    /// A sentence that states the user's next step.
    public let advice: String
    /// The domain and the code of StoreKit 1's error; nil for any other failure.
    public let cause: Cause?

    /// The domain and the code of an error.
    public struct Cause: Hashable, Sendable {
        /// The domain, such as `SKErrorDomain`.
        public let domain: String
        /// The code, such as 0 for an unknown error.
        public let code: Int
    }

    init(_ kind: Kind, message: String? = nil, cause: Cause? = nil) {
        self.kind = kind
        self.cause = cause
        switch kind {
        case .network:
            self.message = message ?? "The App Store can't be reached."
            advice = "Check the network connection, and try again."
        case .purchaseNotAllowed:
            self.message = message ?? "Purchases are not allowed on this device."
            advice = "Allow in-app purchases in the device's settings."
        case .productUnavailable:
            self.message = message ?? "The App Store does not sell this product at present."
            advice = "Choose another product, or try again later."
        case .invalidQuantity:
            self.message = message ?? "The quantity is not valid for this product."
            advice = "Choose another quantity, such as 1."
        case .invalidOffer:
            self.message = message ?? "The offer is not valid for your account."
            advice = "Buy the product without the offer."
        case .unverified:
            self.message = message ?? "The purchase could not be verified."
            advice =
                "Do not buy the product again. The purchase is delivered when it can be verified. "
                + "If the product is missing tomorrow, contact support."
        case .finishedElsewhere:
            self.message = message ?? "The purchase was paid, and could not be completed."
            advice = "Do not buy the product again. Contact support; the App Store has recorded the payment."
        case .store:
            self.message = message ?? "The App Store could not complete the request."
            advice = "Try again later."
        }
    }

    /// Creates the failure for an error of StoreKit; nil for a cancellation.
    init?(_ error: any Error) {
        switch error {
        case let error as Product.PurchaseError: self.init(purchase: error)
        case StoreKitError.userCancelled: return nil
        case let error as StoreKitError: self.init(store: error)
        default: self.init(.store, message: error.localizedDescription)
        }
    }

    private init(purchase error: Product.PurchaseError) {
        switch error {
        case .invalidQuantity: self.init(.invalidQuantity)
        case .productUnavailable: self.init(.productUnavailable)
        case .purchaseNotAllowed: self.init(.purchaseNotAllowed)
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters:
            self.init(.invalidOffer)
        // Newer versions of StoreKit have further errors.
        default: self.init(.store, message: error.errorDescription)
        }
    }

    private init(store error: StoreKitError) {
        switch error {
        case .networkError: self.init(.network)
        case .notAvailableInStorefront: self.init(.productUnavailable)
        case .notEntitled: self.init(.purchaseNotAllowed)
        default: self.init(.store, message: error.errorDescription)
        }
    }
}

extension PurchaseFailure: LocalizedError {
    /// The sentence that describes the error, for `localizedDescription`.
    public var errorDescription: String? { message }
    /// The sentence that states the user's next step.
    public var recoverySuggestion: String? { advice }
}

/// An offer for a purchase.
public enum PurchaseOffer: Hashable, Sendable {
    /// A promotional offer, with the JWS that the developer's server signed.
    case promotional(id: String, compactJWS: String)
    /// The introductory offer, for a customer whose eligibility the developer's server signed.
    case introductory(compactJWS: String)
    /// A win-back offer of the product.
    case winBack(Product.SubscriptionOffer)

    var options: [Product.PurchaseOption] {
        switch self {
        case .promotional(let id, let jws): Product.PurchaseOption.promotionalOffer(id, compactJWS: jws)
        case .introductory(let jws): [.introductoryOfferEligibility(compactJWS: jws)]
        case .winBack(let offer): [.winBackOffer(offer)]
        }
    }
}

/// An event that an app can announce to the user; ``PurchasesState`` contains the results.
public enum PurchaseEvent: Hashable, Sendable {
    /// A purchase is delivered.
    ///
    /// `isExpected` is false for a purchase that no call of this app session waits for, such as a purchase on another device.
    case delivered(Purchase, isExpected: Bool)
    /// A paid purchase is not delivered; the error states whether the kit tries again automatically.
    case undelivered(Purchase, DeliveryError)
    /// A purchase failed before the payment.
    case failed(ProductID, PurchaseFailure)
    /// A purchase waits for an approval.
    case pending(ProductID)
    /// The App Store refunded or revoked a purchase.
    case revoked(ProductID, TransactionID)
    /// The payment queue contains restored transactions of these products, because an earlier restore did not complete.
    ///
    /// The earlier restore can be part of an earlier app session. The next restore, with StoreKit 1 or StoreKit 2, finishes these
    /// transactions and delivers the chosen products. `reason` is the reason of the interrupted restore; nil for a restore without a
    /// reason.
    case restorable([ProductID], reason: String?)
    /// The server refused a debit that the device had accepted without a network.
    case debitRefused(key: String, amount: Int64, currency: CurrencyID)
}
