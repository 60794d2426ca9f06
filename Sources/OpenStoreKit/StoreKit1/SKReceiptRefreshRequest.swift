import PurchaseModel

/// The property that asks for an expired receipt; in tests only.
public let SKReceiptPropertyIsExpired = "expired"

/// Fetches the latest receipt.
///
/// Makes no transaction, and doing it twice has the effect of doing it once.
open class SKReceiptRefreshRequest: SKRequest, @unchecked Sendable {
    private let wantsExpired: Bool

    /// Asks for a receipt; the properties are for tests.
    public init(receiptProperties properties: [String: Any]? = nil) {
        wantsExpired = (properties?[SKReceiptPropertyIsExpired] as? Bool) ?? false
    }

    /// Sends the request and returns at once.
    open override func start() {
        run { [self, wantsExpired] device in
            do throws(PaymentFailure) {
                try await device.engine.refreshReceipt(ReceiptRequest(expired: wantsExpired))
                tellFinish()
            } catch {
                tellFailure(error.error)
            }
        }
    }
}
