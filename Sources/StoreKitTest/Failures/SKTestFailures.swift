import Foundation
import OpenStoreKit
import PurchaseProtocol
public import StoreKit

/// The errors that a test can simulate for StoreKit APIs.
public enum SKTestFailures {
    /// The simulated errors of `Product.products(for:)`.
    public enum LoadProducts: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Whether both errors are equal.
        public static func == (one: LoadProducts, other: LoadProducts) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// The simulated errors of `Product.purchase(options:)`.
    public enum Purchase: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)
        /// An error of the purchase.
        case purchase(Product.PurchaseError)

        /// Whether both errors are equal.
        public static func == (one: Purchase, other: Purchase) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            case (.purchase(let one), .purchase(let other)): one == other
            case (.generic, .purchase), (.purchase, .generic): false
            }
        }
    }

    /// The simulated errors of `AppStore.sync()`.
    public enum AppStoreSync: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Whether both errors are equal.
        public static func == (one: AppStoreSync, other: AppStoreSync) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// The simulated errors of subscription statuses.
    public enum SubscriptionStatus: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Whether both errors are equal.
        public static func == (one: SubscriptionStatus, other: SubscriptionStatus) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// The simulated errors of `AppTransaction.shared` and `refresh()`.
    public enum AppTransaction: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Whether both errors are equal.
        public static func == (one: AppTransaction, other: AppTransaction) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// The simulated errors of the sheet to manage subscriptions.
    public enum ManageSubscriptions: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Whether both errors are equal.
        public static func == (one: ManageSubscriptions, other: ManageSubscriptions) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// The simulated errors of the sheet to redeem offer codes.
    public enum OfferCodeRedeem: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)

        /// Whether both errors are equal.
        public static func == (one: OfferCodeRedeem, other: OfferCodeRedeem) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            }
        }
    }

    /// The simulated errors of the sheet to request a refund.
    public enum RefundRequest: SKTestFailure {
        /// An error that any StoreKit API can throw.
        case generic(StoreKitError)
        /// An error of the refund request.
        case refundRequest(Transaction.RefundRequestError)

        /// Whether both errors are equal.
        public static func == (one: RefundRequest, other: RefundRequest) -> Bool {
            switch (one, other) {
            case (.generic(let one), .generic(let other)): one.isSame(as: other)
            case (.refundRequest(let one), .refundRequest(let other)): one == other
            case (.generic, .refundRequest), (.refundRequest, .generic): false
            }
        }
    }

    /// The simulated errors of the verification of signed data.
    public enum Verification: SKTestFailure {
        /// An error of the verification result.
        case verification(VerificationResult<Any>.VerificationError)
    }
}

extension StoreKitError {
    /// Whether another error has the same case.
    fileprivate func isSame(as other: StoreKitError) -> Bool {
        switch (self, other) {
        case (.networkError(let one), .networkError(let other)): one.code == other.code
        case (.systemError(let one), .systemError(let other)): "\(one)" == "\(other)"
        default: "\(self)" == "\(other)"
        }
    }
}
