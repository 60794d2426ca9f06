import PurchaseModel
import PurchaseProtocol

/// The properties of a request or a notification that faults match.
struct FaultCall: Hashable, Sendable {
    var surface: FaultSurface
    /// The path without the prefixes of store and environment; empty for notifications.
    var path = ""
    var bundleID: BundleID?
    var account: AccountID?
    var products: Set<ProductID> = []

    /// The surface of a path; nil for paths that have no faults.
    static func surface(ofPath path: String) -> FaultSurface? {
        if path.hasPrefix("/device/") { return .device }
        if path.hasPrefix("/inApps/") { return .serverAPI }
        return path == "/verifyReceipt" ? .verifyReceipt : nil
    }

    /// Whether the request is a purchase.
    var isPurchase: Bool { surface == .device && path == DeviceEndpoints.purchase.template }

    /// Whether the response contains signed data.
    private var isSigned: Bool {
        switch surface {
        case .verifyReceipt, .serverAPI, .notifications: true
        case .device: Self.signedPaths.contains(path)
        }
    }

    /// The device API's paths with signed responses; the signing faults do not affect receipts of single transactions.
    private static let signedPaths: Set = [
        DeviceEndpoints.purchase.template, DeviceEndpoints.unfinished.template, DeviceEndpoints.restore.template,
        DeviceEndpoints.receipt.template, DeviceEndpoints.history.template, DeviceEndpoints.redeem.template,
        DeviceEndpoints.manageSubscription.template, DeviceEndpoints.appTransaction.template,
    ]

    /// Whether a fault matches the request or the notification.
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
