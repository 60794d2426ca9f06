import Foundation
import OpenStoreKit
import PurchaseProtocol
public import StoreKit

/// What the parts of StoreKit can fail with in a test.
public enum SKTestFailures {
    /// What `Product.products(for:)` can fail with.
    public enum LoadProducts: SKTestFailure {
        /// An error that everything in StoreKit can have.
        case generic(StoreKitError)

        /// Whether both are the same error.
        public static func == (one: LoadProducts, other: LoadProducts) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// What `Product.purchase(options:)` can fail with.
    public enum Purchase: SKTestFailure {
        /// An error that everything in StoreKit can have.
        case generic(StoreKitError)
        /// The purchase is refused.
        case purchase(Product.PurchaseError)

        /// Whether both are the same error.
        public static func == (one: Purchase, other: Purchase) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            case (.purchase(let one), .purchase(let other)): one == other
            case (.generic, .purchase), (.purchase, .generic): false
            }
        }
    }

    /// What `AppStore.sync()` can fail with.
    public enum AppStoreSync: SKTestFailure {
        /// An error that everything in StoreKit can have.
        case generic(StoreKitError)

        /// Whether both are the same error.
        public static func == (one: AppStoreSync, other: AppStoreSync) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// What the statuses of subscriptions can fail with.
    public enum SubscriptionStatus: SKTestFailure {
        /// An error that everything in StoreKit can have.
        case generic(StoreKitError)

        /// Whether both are the same error.
        public static func == (one: SubscriptionStatus, other: SubscriptionStatus) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// What `AppTransaction.shared` and `refresh()` can fail with.
    public enum AppTransaction: SKTestFailure {
        /// An error that everything in StoreKit can have.
        case generic(StoreKitError)

        /// Whether both are the same error.
        public static func == (one: AppTransaction, other: AppTransaction) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// What the sheet to manage subscriptions can fail with.
    public enum ManageSubscriptions: SKTestFailure {
        /// An error that everything in StoreKit can have.
        case generic(StoreKitError)

        /// Whether both are the same error.
        public static func == (one: ManageSubscriptions, other: ManageSubscriptions) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// What the sheet to redeem offer codes can fail with.
    public enum OfferCodeRedeem: SKTestFailure {
        /// An error that everything in StoreKit can have.
        case generic(StoreKitError)

        /// Whether both are the same error.
        public static func == (one: OfferCodeRedeem, other: OfferCodeRedeem) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// What the sheet to ask for a refund can fail with.
    public enum RefundRequest: SKTestFailure {
        /// An error that everything in StoreKit can have.
        case generic(StoreKitError)
        /// The request is refused.
        case refundRequest(Transaction.RefundRequestError)

        /// Whether both are the same error.
        public static func == (one: RefundRequest, other: RefundRequest) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            case (.refundRequest(let one), .refundRequest(let other)): one == other
            case (.generic, .refundRequest), (.refundRequest, .generic): false
            }
        }
    }

    /// What the verification of signed data can fail with.
    public enum Verification: SKTestFailure {
        /// What is read is not verified.
        case verification(VerificationResult<Any>.VerificationError)
    }
}

extension StoreKitError {
    /// Whether another one says the same.
    fileprivate func isSame(as other: StoreKitError) -> Bool {
        switch (self, other) {
        case (.networkError(let one), .networkError(let other)): one.code == other.code
        case (.systemError(let one), .systemError(let other)): "\(one)" == "\(other)"
        default: "\(self)" == "\(other)"
        }
    }
}
