import Foundation
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit

extension TourStep {
    static let book = TourStep(number: 5, title: "Buys the book; the connection breaks half-way and the download resumes") { stage in
        let cut = 200_000
        stage.relay.breakOnce(after: cut)
        let phone = try await stage.launch(.first, over: stage.relay.url)
        guard case .delivered(let purchase) = try await phone.buy(MonkeyShopProduct.book) else {
            throw TourFailure(expected: "the book to be delivered", found: "another outcome")
        }
        let log = phone.shop.downloads.events
        guard case .announced(_, let length, let verification) = log.first, case .installed(let content) = log.last else {
            throw TourFailure(expected: "a download from its announcement to its end", found: "\(log)")
        }
        try expect("how the receipt was verified", verification, ["production 21007", "sandbox 0"])
        let broken = log.compactMap { event -> Int64? in if case .broken(let received) = event { received } else { nil } }
        let starts = log.compactMap { event -> Int64? in if case .started(let offset) = event { offset } else { nil } }
        try expect("one broken connection", broken.count == 1 && broken[0] > 0 && broken[0] < length, found: "\(broken)")
        try expect("where the download began and resumed", starts, [0, broken[0]])
        let original = try Data(contentsOf: URL(filePath: "\(stage.folder)/content/\(MonkeyShopSample.bookFile)"))
        let fetched = try Data(contentsOf: URL(filePath: content.path))
        try expect("the book to be what the server has", fetched == original, found: "\(fetched.count) other bytes")
        try expect("the queue after the finish", phone.device.paymentQueue.transactions.count, 0)
        try expect("the queue when the book was there", phone.statesAtDelivery, [[.purchased]])
        let page = await phone.shop.openBook()
        guard case .firstLine(let line) = page else { throw TourFailure(expected: "a first line", found: "\(page)") }
        return Scene(
            app: "“\(line)”",
            evidence: "verifyReceipt \(verification.joined(separator: ", ")); broke at \(broken[0]), resumed at \(starts[1]) of "
                + "\(content.length) bytes; sha256 \(content.sha256.prefix(16))… matches; \(purchase.transaction.payload.transactionId) finished"
        )
    }
}
