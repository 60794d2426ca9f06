import Foundation
import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import WireClient

extension TourStep {
    static let refund = TourStep(number: 11, title: "The store refunds the book") { stage in
        let phone = try await stage.launch(.first)
        let transaction = try await phone.own(MonkeyShopProduct.book)
        let receipt = try Data(contentsOf: phone.device.receiptURL)
        let server = WireClient(baseURL: stage.serverURL)
        let product = ["product": MonkeyShopProduct.book.rawValue]
        let ticket = try await server.call(ServerEndpoints.contentTicket, ContentTicketRequest(receipt: receipt), parameters: product)
        try expect("access before", try await phone.shop.access(to: MonkeyShopProduct.book).isGranted, true)

        _ = try await stage.control(ControlEndpoints.refund, IssueRefund(transaction: transaction))
        try await stage.store.deliverNotifications()

        let access = try await phone.shop.access(to: MonkeyShopProduct.book)
        try expect("access after", access.isGranted, false)
        try expect("the state after", access.state, .revoked)
        let refusal = await refusedTicket(server, receipt, product)
        try expect("the refusal of the old receipt", refusal, "403 content.refunded")
        let page = await phone.shop.openBook()
        try expect("the book's page after", page, .refunded)
        let (status, code) = try await ContentProbe.fetch(stage.serverURL, product: MonkeyShopProduct.book, ticket: ticket.ticket)
        try expect("the refusal of the old ticket", "\(status) \(code)", "403 content.refunded")
        return Scene(
            app: "“\(page)” stands where the book's page was",
            evidence: "transaction \(transaction), REFUND delivered; access no (\(access.reason)); old receipt \(refusal), "
                + "old ticket \(status) \(code), no byte"
        )
    }

    private static func refusedTicket(_ server: WireClient, _ receipt: Data, _ product: [String: String]) async -> String {
        do {
            _ = try await server.call(ServerEndpoints.contentTicket, ContentTicketRequest(receipt: receipt), parameters: product)
            return "a ticket"
        } catch .refused(let status, let error) {
            return "\(status) \(error.code)"
        } catch {
            return "\(error)"
        }
    }
}
