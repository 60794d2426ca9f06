import Foundation
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit

extension TourStep {
    static let book = TourStep(number: 5, title: "Buys the book; the connection breaks and the download resumes") { tour in
        let cut = 200_000
        tour.relay.breakOnce(after: cut)
        let phone = try await tour.launch(.first, over: tour.relay.url)
        guard case .purchased(let purchase, .delivered) = try await phone.buy(MonkeyShopProduct.book) else {
            throw TourFailure(expected: "a delivered book", found: "another outcome")
        }
        let log = phone.shop.downloads.events
        guard case .announced(_, let length) = log.first, case .installed(let content) = log.last else {
            throw TourFailure(expected: "the events of a complete download", found: "\(log)")
        }
        let broken = log.compactMap { event -> Int64? in if case .broken(let received) = event { received } else { nil } }
        let starts = log.compactMap { event -> Int64? in if case .started(let offset) = event { offset } else { nil } }
        try expect("one broken connection", broken.count == 1 && broken[0] > 0 && broken[0] < length, found: "\(broken)")
        try expect("the offsets of the download requests", starts, [0, broken[0]])
        let original = Data(MonkeyShopBook.receipts.text.utf8)
        let fetched = try Data(contentsOf: URL(filePath: content.path))
        try expect("the server's bytes of the book", fetched == original, found: "\(fetched.count) different bytes")
        try expect("the number of transactions in the queue", phone.app.paymentQueue.transactions.count, 0)
        try expect("the states of the queue at delivery", phone.statesAtDelivery, [[.purchased]])
        let page = await phone.openBook()
        guard case .firstLine(let line) = page else { throw TourFailure(expected: "a first line", found: "\(page)") }
        return StepResult(
            app: "“\(line)”",
            evidence: "connection broken at byte \(broken[0]), resumed at "
                + "\(starts[1]) of \(content.length); SHA-256 \(content.sha256.prefix(16))… matches; "
                + "transaction \(purchase.transaction.payload.transactionId) finished"
        )
    }
}
