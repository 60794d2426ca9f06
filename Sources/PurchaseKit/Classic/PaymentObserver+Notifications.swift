public import Foundation
import PurchaseModel
import StoreKit

/// The notifications that the observer posts on the main thread, with the observer as their object, for older code.
extension PaymentObserver {
    /// The notification of a delivered purchase or restored purchase; `userInfo` has ``productIDKey`` and ``transactionIDKey``.
    public static let purchaseSucceeded = Notification.Name("TillrollPurchaseSucceeded")
    /// The notification of a failed purchase, or a paid purchase that can't be delivered; `userInfo` has ``productIDKey`` and ``errorKey``.
    ///
    /// A cancellation posts no notification.
    public static let purchaseFailed = Notification.Name("TillrollPurchaseFailed")
    /// The notification of a failed request for products, for a restore or for the receipt; `userInfo` has ``errorKey``.
    public static let requestFailed = Notification.Name("TillrollRequestFailed")
    /// The key of the identifier of the product, a `String`, in the `userInfo` of a notification.
    public static let productIDKey = "productID"
    /// The key of the identifier of the transaction, a `String`, in the `userInfo` of a notification.
    public static let transactionIDKey = "transactionID"
    /// The key of the error in the `userInfo` of a notification: an `NSError` with a sentence for the user, and with the domain and the
    /// code of StoreKit 1's error, otherwise `SKErrorDomain` and `unknown`.
    public static let errorKey = "error"

    /// Starts the tasks that post notifications for the events and the states of the app's purchases.
    @MainActor
    func postNotifications() -> [Task<Void, Never>] {
        let (events, states) = (purchases.events, purchases.states)
        return [
            Task { [weak self] in
                for await event in events { self?.post(event) }
            },
            Task { [weak self] in
                var wasReachable = true
                for await state in states {
                    let isReachable = !state.problems.contains { $0.kind == .storeUnreachable }
                    if wasReachable, !isReachable { self?.postRequestFailed(PurchaseFailure(.network)) }
                    wasReachable = isReachable
                }
            },
        ]
    }

    @MainActor
    private func post(_ event: PurchaseEvent) {
        switch event {
        case .delivered(let purchase, _):
            post(
                Self.purchaseSucceeded,
                [Self.productIDKey: purchase.productID.rawValue, Self.transactionIDKey: purchase.id.rawValue])
        case .failed(let product, let failure):
            post(Self.purchaseFailed, [Self.productIDKey: product.rawValue, Self.errorKey: failure.nsError])
        case .undelivered(let purchase, .refused(let reason)):
            post(
                Self.purchaseFailed,
                [Self.productIDKey: purchase.productID.rawValue, Self.errorKey: PurchaseFailure(.store, message: reason).nsError])
        default: break
        }
    }

    @MainActor
    func postRequestFailed(_ failure: PurchaseFailure) {
        post(Self.requestFailed, [Self.errorKey: failure.nsError])
    }

    @MainActor
    private func post(_ name: Notification.Name, _ userInfo: [String: Any]) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}
