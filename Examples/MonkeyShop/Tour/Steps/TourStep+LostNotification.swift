import Foundation
import LocalAppStore
import MonkeyShop
import MonkeyShopBackend
import PurchaseKit
import PurchaseModel
import PurchaseServer
import StoreControl

extension TourStep {
    static let lostNotification = TourStep(number: 14, title: "A renewal's notification is lost; the server finds the renewal") { tour in
        let magazine = MonkeyShopProduct.magazine
        let account: AccountID = "sam@example.com"
        let customer = try await tour.client.createCustomer()
        // Buy without a phone, so that the server receives renewals by notifications only.
        try await tour.control.buy(magazine, for: account, appAccountToken: customer.customer)
        try await tour.store.deliverNotifications()
        try expect("the entitlement after the purchase", try await entitlement(customer, tour).isActive, true)
        _ = try await tour.server.reconcile(MonkeyShopSample.bundleID)

        try await tour.store.setNotificationURL("http://127.0.0.1:9/notifications")
        // Exceed the monthly period and the renewal leeway, in which the entitlement stays active without a confirmed renewal.
        try await tour.advance(days: 33)
        let charges = try await tour.control.charges(of: account)
        try expect("the number of charges", charges.count, 2)
        let missed = try await entitlement(customer, tour)
        try expect("the entitlement without the notification", missed.isActive, false)

        guard let report = try await tour.server.reconcile(MonkeyShopSample.bundleID) else {
            throw TourFailure(expected: "a reconciliation", found: "an unknown app")
        }
        try await tour.store.setNotificationURL(tour.serverURL.text + SampleBackend.notificationPath)
        try expect("a complete reconciliation", report.outcome == .complete, found: report.message ?? "")
        try expect("a missing renewal", report.notifications.contains { $0.kind == "DID_RENEW" }, found: "\(report.notifications)")
        let found = try await entitlement(customer, tour)
        try expect("the entitlement after the reconciliation", found.isActive, true)
        return StepResult(
            app: "Sam can read the renewed magazine",
            evidence: "2 charges; without the notification: \(missed.state.rawValue); reconciliation: \(report.found) notifications, "
                + "\(report.recorded) of them missing for up to \(report.notifications.map(\.missingSeconds).max() ?? 0) s and now recorded; "
                + "now \(found.state.rawValue) (\(found.reason))"
        )
    }

    private static func entitlement(
        _ customer: BackendClient.Customer, _ tour: TourEnvironment
    ) async throws -> BackendClient.Entitlement {
        var credentials = tour.credentials
        credentials.customerToken = customer.token
        return try await BackendClient(tour.serverURL, .app(credentials)).entitlement(MonkeyShopProduct.magazine.rawValue)
    }
}
