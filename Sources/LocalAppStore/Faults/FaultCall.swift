import PurchaseModel
import PurchaseProtocol

/// A call, or a notification, as far as faults ask about it.
struct FaultCall: Hashable, Sendable {
    var surface: FaultSurface
    /// Without the prefixes of store and environment; empty for notifications.
    var path = ""
    var bundleID: BundleID?
    var account: AccountID?
    var products: Set<ProductID> = []

    /// Where a path belongs; nil for what never fails on purpose.
    static func surface(ofPath path: String) -> FaultSurface? {
        if path.hasPrefix("/device/") { return .device }
        if path.hasPrefix("/inApps/") { return .serverAPI }
        return path == "/verifyReceipt" ? .verifyReceipt : nil
    }

    /// Whether it asks to buy.
    var isPurchase: Bool { surface == .device && path == DeviceEndpoints.purchase.template }

    /// Whether something is signed for it.
    private var isSigned: Bool {
        switch surface {
        case .verifyReceipt, .serverAPI, .notifications: true
        case .device: Self.signedPaths.contains(path)
        }
    }

    /// The calls of devices that are answered with something signed; receipts of one transaction are not signed wrongly.
    private static let signedPaths: Set = [
        DeviceEndpoints.purchase.template, DeviceEndpoints.unfinished.template, DeviceEndpoints.restore.template,
        DeviceEndpoints.receipt.template, DeviceEndpoints.purchases.template, DeviceEndpoints.redeem.template,
        DeviceEndpoints.manage.template, DeviceEndpoints.appTransaction.template,
    ]

    /// Whether a fault is meant for it.
    func concerns(_ fault: Fault) -> Bool {
        guard fault.surface ?? surface == surface, fault.bundleID == nil || fault.bundleID == bundleID,
            fault.account == nil || fault.account == account, fault.path.map({ path.hasPrefix($0) }) ?? true
        else { return false }
        if let product = fault.productID, !products.contains(product) { return false }
        switch fault.kind {
        case .delay, .lostReply, .status: return surface != .notifications
        case .verifyReceiptStatus, .verifyReceiptOutage: return surface == .verifyReceipt
        case .purchaseRefused: return isPurchase
        case .wrongClock, .signing: return isSigned
        case .notificationLost, .notificationDoubled, .notificationShuffled, .notificationLate: return surface == .notifications
        }
    }
}
