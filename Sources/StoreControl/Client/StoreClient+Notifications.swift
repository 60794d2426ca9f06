public import PurchaseModel
public import StoreProtocol
import Wire

extension StoreClient {
    /// Lists the newest App Store Server Notifications, sent or pending, at most 1,000.
    ///
    /// - Returns: The notifications, oldest first, with their delivery states.
    public func notifications() async throws(StoreControlError) -> [NotificationDelivery] {
        try await call(ControlEndpoints.notifications).deliveries
    }

    /// Reads a notification: its body, its decoded payload, and its delivery attempts.
    ///
    /// - Parameter notificationUUID: The `notificationUUID`.
    /// - Returns: The notification.
    /// - Throws: `refused` for a notification that does not exist.
    public func notification(_ notificationUUID: String) async throws(StoreControlError) -> NotificationDetails {
        try await call(ControlEndpoints.notification, ["notification": notificationUUID])
    }

    /// Sends a notification again with the same identifier and the same bytes, even if it was delivered before.
    ///
    /// - Parameter notificationUUID: The `notificationUUID`.
    /// - Returns: The notification, with the result of the attempt.
    /// - Throws: `refused` for a notification that does not exist, or whose app has no address for notifications.
    @discardableResult
    public func resend(_ notificationUUID: String) async throws(StoreControlError) -> NotificationDetails {
        try await call(ControlEndpoints.resend, ["notification": notificationUUID])
    }

    /// Simulates an event that causes a notification of a type; the store creates the purchases that the event requires.
    ///
    /// - Parameters:
    ///   - type: The notification type, such as `DID_FAIL_TO_RENEW`.
    ///   - subtype: The subtype, such as `GRACE_PERIOD`; nil for none.
    ///   - account: The account that the event affects; nil for a new account.
    ///   - product: The product of the event; nil for a suitable one.
    ///   - app: The app of the event; nil for the store's first app.
    /// - Returns: The identifier of the notification, its account and its transaction.
    /// - Throws: `refused` for a type that the store does not know; the message lists all types.
    @discardableResult
    public func trigger(
        _ type: String, subtype: String? = nil, account: AccountID? = nil, product: ProductID? = nil, app: BundleID? = nil
    ) async throws(StoreControlError) -> TriggerReply {
        let request = TriggerRequest(type: type, subtype: subtype, account: account, productID: product, bundleID: app)
        return try await call(ControlEndpoints.trigger, request)
    }
}
