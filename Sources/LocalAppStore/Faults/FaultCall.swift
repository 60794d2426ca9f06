import PurchaseModel
import StoreProtocol
import Wire

/// The properties of a request or a notification that determine which faults (simulated failures) apply to it.
struct FaultCall: Hashable, Sendable {
    var surface: FaultSurface
    /// The request's path, without the prefixes for the store and the environment; empty for notifications.
    var path = ""
    var bundleID: BundleID?
    var account: AccountID?
    var products: Set<ProductID> = []

    /// Returns the surface (group of endpoints) to which a path belongs; nil if faults do not apply to the path.
    static func surface(ofPath path: String) -> FaultSurface? {
        if path.hasPrefix("/device/") { return .device }
        if ServerAPIEndpoint.owns(path: path) { return .serverAPI }
        return path == "/verifyReceipt" ? .verifyReceipt : nil
    }

    /// Whether the request is a device's purchase.
    var isPurchase: Bool { surface == .device && path == DeviceEndpoints.purchase.template }

    /// Whether the response or the notification contains signed data, to which signing faults apply.
    private var isSigned: Bool {
        switch surface {
        case .verifyReceipt, .serverAPI, .notifications: true
        case .device: Self.signedPaths.contains(path)
        }
    }

    /// The device API's paths whose responses contain signed data.
    ///
    /// The path of transaction receipts is not included, because signing faults do not apply to them.
    private static let signedPaths: Set = [
        DeviceEndpoints.purchase.template, DeviceEndpoints.unfinished.template, DeviceEndpoints.restore.template,
        DeviceEndpoints.receipt.template, DeviceEndpoints.history.template, DeviceEndpoints.redeem.template,
        DeviceEndpoints.manageSubscription.template, DeviceEndpoints.appTransaction.template,
    ]

    /// Returns whether the conditions of a fault match the request or the notification.
    func matches(_ fault: Fault) -> Bool {
        guard fault.surface ?? surface == surface, fault.bundleID == nil || fault.bundleID == bundleID,
            fault.account == nil || fault.account == account, fault.path.map({ path.hasPrefix($0) }) ?? true
        else { return false }
        if let product = fault.productID, !products.contains(product) { return false }
        switch fault.kind {
        case .delay, .lostReply, .status: return surface != .notifications
        case .verifyReceiptStatus, .verifyReceiptOutage: return surface == .verifyReceipt
        case .purchaseRefused: return isPurchase
        case .clockSkew, .signing: return isSigned
        case .notificationLost, .notificationDuplicated, .notificationReordered, .notificationDelayed: return surface == .notifications
        }
    }
}
