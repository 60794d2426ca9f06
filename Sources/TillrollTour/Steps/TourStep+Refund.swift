import Foundation
import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import WireClient

extension TourStep {
    static let refund = TourStep(number: 11, title: "The store refunds the book") { tour in
        let phone = try await tour.launch(.first)
        let transaction = try await phone.buyIfNeeded(MonkeyShopProduct.book)
        let receipt = try Data(contentsOf: phone.device.receiptURL)
        let server = WireClient(baseURL: tour.serverURL)
        let product = ["product": MonkeyShopProduct.book.rawValue]
        let ticket = try await server.call(ServerEndpoints.contentTicket, ContentTicketRequest(receipt: receipt), parameters: product)
        try expect("access before the refund", try await phone.shop.access(to: MonkeyShopProduct.book).isGranted, true)

        _ = try await tour.control(ControlEndpoints.refund, IssueRefund(transactionID: transaction))
        try await tour.store.deliverNotifications()

        let access = try await phone.shop.access(to: MonkeyShopProduct.book)
        try expect("access after the refund", access.isGranted, false)
        try expect("the state after the refund", access.state, .revoked)
        let refusal = await tokenRefusal(server, receipt, product)
        try expect("the refusal of the earlier receipt", refusal, "403 content.refunded")
        let page = await phone.shop.openBook()
        try expect("the book's page after the refund", page, .refunded)
        let (status, code) = try await ContentProbe.fetch(tour.serverURL, product: MonkeyShopProduct.book, ticket: ticket.ticket)
        try expect("the refusal of the earlier download token", "\(status) \(code)", "403 content.refunded")
        return StepResult(
            app: "“\(page)” instead of the book's page",
            evidence: "transaction \(transaction), REFUND delivered; no access (\(access.reason)); earlier receipt: \(refusal), "
                + "earlier download token: \(status) \(code), no content"
        )
    }

    private static func tokenRefusal(_ server: WireClient, _ receipt: Data, _ product: [String: String]) async -> String {
        do {
            _ = try await server.call(ServerEndpoints.contentTicket, ContentTicketRequest(receipt: receipt), parameters: product)
            return "a download token"
        } catch .refused(let status, let error) {
            return "\(status) \(error.code)"
        } catch {
            return "\(error)"
        }
    }
}
