import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import PurchaseServer

extension TourStep {
    static let lostNotification = TourStep(number: 14, title: "A notification is lost, and the server finds it") { tour in
        let phone = try await tour.launch(.first)
        _ = try await phone.buyIfNeeded(MonkeyShopProduct.magazine)
        _ = try await tour.server.reconcile(MonkeyShopSample.bundleID)
        let before = try await phone.shop.entitlement(to: MonkeyShopProduct.magazine)
        let charges = try await tour.charges(.adult).count

        try await tour.store.setNotificationURL("http://127.0.0.1:9/notifications")
        try await tour.advance(days: 31)
        try expect("the charges after the renewal", try await tour.charges(.adult).count, charges + 1)
        let missed = try await phone.shop.entitlement(to: MonkeyShopProduct.magazine)
        try expect("the entitlement without the notification", missed.isActive, false)

        guard let report = try await tour.server.reconcile(MonkeyShopSample.bundleID) else {
            throw TourFailure(expected: "a reconciliation", found: "an unknown app")
        }
        try expect("the outcome", report.outcome, .complete)
        try expect("the kinds of the missing notifications", report.notifications.map(\.kind), ["DID_RENEW"])
        let found = try await phone.shop.entitlement(to: MonkeyShopProduct.magazine)
        try expect("the entitlement after the reconciliation", found.isActive, true)
        try await tour.store.setNotificationURL(tour.serverURL.text + ServerEndpoints.notifications.template)
        return StepResult(
            app: "The magazine can be read again",
            evidence: "charged for another period; state without the notification: \(missed.state.rawValue); reconciliation: "
                + "\(report.found) found, \(report.recorded) recorded (\(report.notifications.map(\.kind).joined(separator: ", ")), missing for "
                + "\(report.notifications.map(\.missingSeconds).max() ?? 0) s); now \(found.state.rawValue), before \(before.state.rawValue)"
        )
    }
}
