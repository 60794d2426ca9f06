import Foundation
import LocalAppStore
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreControl

extension TourStep {
    static let refund = TourStep(number: 11, title: "The store refunds the book") { tour in
        let phone = try await tour.launch(.first)
        let transaction = try await phone.buyIfNeeded(MonkeyShopProduct.book)
        let token = try await tour.client.downloadToken(for: MonkeyShopProduct.book)
        try expect("the entitlement before the refund", try await tour.client.entitlement(MonkeyShopProduct.book.rawValue).isActive, true)

        try await tour.control.refund(transaction)
        try await tour.store.deliverNotifications()

        let entitlement = try await tour.client.entitlement(MonkeyShopProduct.book.rawValue)
        try expect("the entitlement after the refund", entitlement.isActive, false)
        try expect("the state after the refund", entitlement.state, .revoked)
        let refusal = await tokenRefusal(tour)
        try expect("the refusal of a new download token", refusal, "403 content.refunded")
        let page = await phone.openBook()
        try expect("the book's page after the refund", page, .refunded)
        let (status, code) = try await tour.client.requestContent(of: MonkeyShopProduct.book, token: token.token)
        try expect("the refusal of the earlier download token", "\(status) \(code)", "403 content.refunded")
        return StepResult(
            app: "“\(page)” instead of the book's page",
            evidence: "transaction \(transaction), REFUND delivered; no access (\(entitlement.reason)); new download token: \(refusal), "
                + "earlier download token: \(status) \(code), no content"
        )
    }

    private static func tokenRefusal(_ tour: TourEnvironment) async -> String {
        do {
            _ = try await tour.client.downloadToken(for: MonkeyShopProduct.book)
            return "a download token"
        } catch let BackendClient.Failure.refused(status, code, _) {
            return "\(status) \(code)"
        } catch {
            return "\(error)"
        }
    }
}
