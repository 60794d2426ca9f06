import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit

extension TourStep {
    static let restore = TourStep(number: 10, title: "A second phone restores selected products") { tour in
        let bought = try await prepare(tour)
        let phone = try await tour.launch(.second)
        let observer = RecordingObserver()
        phone.app.paymentQueue.add(observer)
        try await phone.device.signIn(TourDevice.second.credentials)

        try await phone.app.run { _ in try await MonkeyShop.refreshReceipt() }
        await phone.app.waitUntilIdle()
        try expect("the number of transactions from the receipt refresh", observer.updates, 0)

        let wanted: Set<ProductID> = [MonkeyShopProduct.sepia, MonkeyShopProduct.book]
        let outcome = await phone.restore(wanted)
        guard case .completed(let difference) = outcome else { throw TourFailure(expected: "a complete restore", found: "\(outcome)") }
        let declined = difference.declined
        try expect("the restored products", Set(difference.gained), wanted)
        try expect("the magazine among the declined products", declined.contains(MonkeyShopProduct.magazine), found: "\(declined)")
        let held = Set(await phone.shop.vault.purchases.map(\.payload.originalTransactionId.rawValue))
        try expect("the purchases in the vault", bought.isSubset(of: held), found: "\(held)")
        try expect("the number of transactions in the queue", phone.app.paymentQueue.transactions.count, 0)
        let page = await phone.openBook()
        guard case .firstLine = page else { throw TourFailure(expected: "the book", found: "\(page)") }
        let balance = try await tour.client.credits()
        try expect("credits on the server", balance > 0, found: "\(balance)")
        try expect("the same balance in the app", await phone.shop.balance(), balance)
        return StepResult(
            app: "Filter and book are restored, the magazine was not selected; \(balance) credits",
            evidence: "transactions from the receipt refresh: \(observer.updates); restored \(difference.gained.count), declined "
                + "\(declined.count), all with the store's signatures; \(balance) credits from the server's ledger"
        )
    }

    /// Buys a filter, the book, the magazine and credits on the first phone, and returns the transaction IDs of all but the credits.
    private static func prepare(_ tour: TourEnvironment) async throws -> Set<String> {
        let phone = try await tour.launch(.first)
        let kept = [
            try await phone.buyIfNeeded(MonkeyShopProduct.sepia), try await phone.buyIfNeeded(MonkeyShopProduct.book),
            try await phone.buyIfNeeded(MonkeyShopProduct.magazine),
        ]
        _ = try await phone.buyIfNeeded(MonkeyShopProduct.credits5)
        return Set(kept.map(\.rawValue))
    }
}
