import Foundation
import OpenStoreKit
import PurchaseModel
import StoreProtocol

/// The key of the receipt property that requests an expired receipt, for tests.
public let SKReceiptPropertyIsExpired = "expired"
/// The key of the receipt property that requests a revoked receipt, for tests.
public let SKReceiptPropertyIsRevoked = "revoked"
/// The key of the receipt property that requests a Volume Purchase Plan receipt, for tests.
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// A request that fetches the app's latest receipt from the store.
///
/// The request creates no transactions. The user may have to sign in, so start the request only when the user asks for it, in
/// `Device.withUserGesture`. Other requests are reported to `DeviceConfiguration.report`.
open class SKReceiptRefreshRequest: SKRequest, @unchecked Sendable {
    private let properties: [String: Any]?

    /// Creates a request.
    ///
    /// - Parameter properties: The properties of the receipt to request, with keys such as ``SKReceiptPropertyIsExpired``, for tests. With
    ///   nil, the store returns the usual receipt.
    public init(receiptProperties properties: [String: Any]? = nil) {
        self.properties = properties
    }

    /// Creates a request without receipt properties.
    public override init() {
        properties = nil
    }

    /// The delegate, which is notified when the request ends.
    open weak var delegate: (any SKRequestDelegate)? {
        get { listener }
        set { listener = newValue }
    }

    override var notifiedDelegate: (any SKRequestDelegate)? { delegate }

    /// The properties of the receipt to request, for tests; nil for the usual receipt.
    open var receiptProperties: [String: Any]? { properties }

    /// Starts fetching the receipt and returns at once; the delegate is notified when the request ends.
    open override func start() {
        let request = ReceiptRequest(
            expired: wants(SKReceiptPropertyIsExpired), revoked: wants(SKReceiptPropertyIsRevoked),
            volumePurchase: wants(SKReceiptPropertyIsVolumePurchase)
        )
        device?.reportRefreshWithoutGesture()
        run { device, run in
            do throws(PaymentFailure) {
                try await device.refreshReceipt(request)
                run.notifyDidFinish()
            } catch {
                run.notifyDidFail(error.error)
            }
        }
    }

    private func wants(_ property: String) -> Bool {
        let value = receiptProperties?[property]
        return value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
    }
}
