import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

/// The property that asks for an expired receipt; in tests only.
public let SKReceiptPropertyIsExpired = "expired"
/// The property that asks for a revoked receipt; in tests only.
public let SKReceiptPropertyIsRevoked = "revoked"
/// The property that asks for the receipt of an app that an organization bought in volume; in tests only.
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Fetches the latest receipt.
///
/// Makes no transaction, and doing it twice has the effect of doing it once. It may ask for a sign-in, so start it when the user asked for
/// it (`Device.withUserGesture`); otherwise it is reported.
open class SKReceiptRefreshRequest: SKRequest, @unchecked Sendable {
    private let properties: [String: Any]?

    /// Asks for a receipt; the properties are for tests.
    public init(receiptProperties properties: [String: Any]? = nil) {
        self.properties = properties
    }

    /// Asks for a receipt.
    public override init() {
        properties = nil
    }

    /// Who hears of the end.
    open weak var delegate: (any SKRequestDelegate)? {
        get { listener }
        set { listener = newValue }
    }

    override var hearing: (any SKRequestDelegate)? { delegate }

    /// The properties that the receipt is to have.
    open var receiptProperties: [String: Any]? { properties }

    /// Sends the request and returns at once.
    open override func start() {
        let request = ReceiptRequest(
            expired: wants(SKReceiptPropertyIsExpired), revoked: wants(SKReceiptPropertyIsRevoked),
            volumePurchase: wants(SKReceiptPropertyIsVolumePurchase)
        )
        device?.reportUnaskedRefresh()
        run { [self] device in
            do throws(PaymentFailure) {
                try await device.refreshReceipt(request)
                tellFinish()
            } catch {
                tellFailure(error.error)
            }
        }
    }

    private func wants(_ property: String) -> Bool {
        let value = receiptProperties?[property]
        return value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
    }
}
