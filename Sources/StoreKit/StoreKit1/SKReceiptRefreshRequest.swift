import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

/// The property that requests an expired receipt; in tests only.
public let SKReceiptPropertyIsExpired = "expired"
/// The property that requests a revoked receipt; in tests only.
public let SKReceiptPropertyIsRevoked = "revoked"
/// The property that requests a Volume Purchase Plan receipt; in tests only.
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// A request that fetches the latest receipt.
///
/// The request creates no transactions and can be repeated. It may ask for a sign-in, so start it at the user's request, in
/// `Device.withUserGesture`; other refreshes are reported.
open class SKReceiptRefreshRequest: SKRequest, @unchecked Sendable {
    private let properties: [String: Any]?

    /// Creates a request; the properties are for tests.
    public init(receiptProperties properties: [String: Any]? = nil) {
        self.properties = properties
    }

    /// Creates a request without properties.
    public override init() {
        properties = nil
    }

    /// The delegate, which is notified of the end of the request.
    open weak var delegate: (any SKRequestDelegate)? {
        get { listener }
        set { listener = newValue }
    }

    override var notifiedDelegate: (any SKRequestDelegate)? { delegate }

    /// The properties of the requested receipt.
    open var receiptProperties: [String: Any]? { properties }

    /// Sends the request and returns at once.
    open override func start() {
        let request = ReceiptRequest(
            expired: wants(SKReceiptPropertyIsExpired), revoked: wants(SKReceiptPropertyIsRevoked),
            volumePurchase: wants(SKReceiptPropertyIsVolumePurchase)
        )
        device?.reportRefreshWithoutGesture()
        run { [self] device in
            do throws(PaymentFailure) {
                try await device.refreshReceipt(request)
                notifyDidFinish()
            } catch {
                notifyDidFail(error.error)
            }
        }
    }

    private func wants(_ property: String) -> Bool {
        let value = receiptProperties?[property]
        return value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
    }
}
