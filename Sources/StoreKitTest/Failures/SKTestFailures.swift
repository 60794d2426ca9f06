import Foundation
import OpenStoreKit
public import StoreKit

/// A namespace for the errors that a test can simulate for StoreKit APIs.
public enum SKTestFailures {
    /// An error that a test can simulate for `Product.products(for:)`.
    public enum LoadProducts: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Returns whether two simulated errors are equal.
        public static func == (one: LoadProducts, other: LoadProducts) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// An error that a test can simulate for `Product.purchase(options:)`.
    public enum Purchase: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)
        /// An error that only purchases can throw.
        case purchase(Product.PurchaseError)

        /// Returns whether two simulated errors are equal.
        public static func == (one: Purchase, other: Purchase) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            case (.purchase(let one), .purchase(let other)): one == other
            case (.generic, .purchase), (.purchase, .generic): false
            }
        }
    }

    /// An error that a test can simulate for `AppStore.sync()`.
    public enum AppStoreSync: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Returns whether two simulated errors are equal.
        public static func == (one: AppStoreSync, other: AppStoreSync) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// An error that a test can simulate for methods that return subscription statuses.
    public enum SubscriptionStatus: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Returns whether two simulated errors are equal.
        public static func == (one: SubscriptionStatus, other: SubscriptionStatus) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// An error that a test can simulate for `AppTransaction.shared` and `AppTransaction.refresh()`.
    public enum AppTransaction: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Returns whether two simulated errors are equal.
        public static func == (one: AppTransaction, other: AppTransaction) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// An error that a test can simulate for the sheet in which the user manages subscriptions.
    public enum ManageSubscriptions: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Returns whether two simulated errors are equal.
        public static func == (one: ManageSubscriptions, other: ManageSubscriptions) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// An error that a test can simulate for the sheet in which the user redeems an offer code.
    public enum OfferCodeRedeem: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Returns whether two simulated errors are equal.
        public static func == (one: OfferCodeRedeem, other: OfferCodeRedeem) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// An error that a test can simulate for the sheet in which the user requests a refund.
    public enum RefundRequest: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)
        /// An error that only refund requests can throw.
        case refundRequest(Transaction.RefundRequestError)

        /// Returns whether two simulated errors are equal.
        public static func == (one: RefundRequest, other: RefundRequest) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            case (.refundRequest(let one), .refundRequest(let other)): one == other
            case (.generic, .refundRequest), (.refundRequest, .generic): false
            }
        }
    }

    /// An error that a test can simulate for the verification of signed data.
    public enum Verification: SKTestFailure {
        /// An error of an unverified `VerificationResult`.
        case verification(VerificationResult<Any>.VerificationError)
    }
}

extension StoreKitError {
    /// Returns whether two errors have the same case and equal underlying errors.
    fileprivate func isSame(as other: StoreKitError) -> Bool {
        switch (self, other) {
        case (.networkError(let one), .networkError(let other)): one.code == other.code
        case (.systemError(let one), .systemError(let other)): "\(one)" == "\(other)"
        default: "\(self)" == "\(other)"
        }
    }
}
