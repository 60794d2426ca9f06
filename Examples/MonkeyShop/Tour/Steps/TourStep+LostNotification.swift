import Foundation
import LocalAppStore
import MonkeyShop
import PurchaseKit
import PurchaseModel
import PurchaseServer
import ServerProtocol
import StoreProtocol
import Wire
import WireClient

extension TourStep {
    static let lostNotification = TourStep(number: 14, title: "A renewal's notification is lost, and the server finds it") { tour in
        let magazine = MonkeyShopProduct.magazine
        let account: AccountID = "sam@example.com"
        let customer = try await tour.callServer(ServerEndpoints.createCustomer, CreateCustomerRequest())
        // The customer's phone is switched off, so that only notifications tell the server about renewals.
        let purchase = BuyRequest(account: account, productID: magazine, appAccountToken: customer.customer)
        _ = try await tour.control(ControlEndpoints.buy, purchase)
        try await tour.store.deliverNotifications()
        try expect("the entitlement after the purchase", try await entitlement(customer, tour).isActive, true)
        _ = try await tour.server.reconcile(MonkeyShopSample.bundleID)

        try await tour.store.setNotificationURL("http://127.0.0.1:9/notifications")
        // Later than the leeway for a renewal that the server could not confirm.
        try await tour.advance(days: 33)
        let charges = try await tour.control(ControlEndpoints.charges, Empty(), ["account": account.rawValue]).charges
        try expect("the number of charges", charges.count, 2)
        let missed = try await entitlement(customer, tour)
        try expect("the entitlement without the notification", missed.isActive, false)

        guard let report = try await tour.server.reconcile(MonkeyShopSample.bundleID) else {
            throw TourFailure(expected: "a reconciliation", found: "an unknown app")
        }
        try await tour.store.setNotificationURL(tour.serverURL.text + ServerEndpoints.notifications.template)
        try expect("a complete reconciliation", report.outcome == .complete, found: report.message ?? "")
        try expect("a missing renewal", report.notifications.contains { $0.kind == "DID_RENEW" }, found: "\(report.notifications)")
        let found = try await entitlement(customer, tour)
        try expect("the entitlement after the reconciliation", found.isActive, true)
        return StepResult(
            app: "Sam can read the magazine that was charged",
            evidence: "2 charges; without the notification: \(missed.state.rawValue); reconciliation: \(report.found) found, "
                + "\(report.recorded) missing and recorded, for up to \(report.notifications.map(\.missingSeconds).max() ?? 0) s; "
                + "now \(found.state.rawValue) (\(found.reason))"
        )
    }

    private static func entitlement(_ customer: CustomerCredentials, _ tour: TourEnvironment) async throws -> EntitlementReply {
        try await WireClient(baseURL: tour.serverURL).call(
            ServerEndpoints.entitlement, Empty(), parameters: ["entitlement": MonkeyShopProduct.magazine.rawValue],
            headers: [ServerHeader.customerToken: customer.token], token: tour.credentials.publishableKey)
    }
}
