import Foundation
import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import ServerProtocol
import StoreProtocol
import Wire
import WireClient

extension TourStep {
    static let refund = TourStep(number: 11, title: "The store refunds the book") { tour in
        let phone = try await tour.launch(.first)
        let transaction = try await phone.buyIfNeeded(MonkeyShopProduct.book)
        let token = try await tour.downloadToken(MonkeyShopProduct.book)
        try expect("the entitlement before the refund", try await phone.shop.entitlement(to: MonkeyShopProduct.book).isActive, true)

        _ = try await tour.control(ControlEndpoints.refund, IssueRefund(transactionID: transaction))
        try await tour.store.deliverNotifications()

        let entitlement = try await phone.shop.entitlement(to: MonkeyShopProduct.book)
        try expect("the entitlement after the refund", entitlement.isActive, false)
        try expect("the state after the refund", entitlement.state, .revoked)
        let refusal = await tokenRefusal(tour)
        try expect("the refusal of a new download token", refusal, "403 content.refunded")
        let page = await phone.shop.openBook()
        try expect("the book's page after the refund", page, .refunded)
        let (status, code) = try await ContentProbe.fetch(tour.serverURL, product: MonkeyShopProduct.book, token: token.token)
        try expect("the refusal of the earlier download token", "\(status) \(code)", "403 content.refunded")
        return StepResult(
            app: "“\(page)” instead of the book's page",
            evidence: "transaction \(transaction), REFUND delivered; no access (\(entitlement.reason)); new download token: \(refusal), "
                + "earlier download token: \(status) \(code), no content"
        )
    }

    private static func tokenRefusal(_ tour: TourEnvironment) async -> String {
        do {
            _ = try await tour.downloadToken(MonkeyShopProduct.book)
            return "a download token"
        } catch let WireClientError.refused(status, error) {
            return "\(status) \(error.code)"
        } catch {
            return "\(error)"
        }
    }
}
