import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import StoreKit

extension TourStep {
    static let restore = TourStep(number: 10, title: "A second phone restores selected products") { tour in
        let bought = try await prepare(tour)
        let phone = try await tour.launch(.second)
        let observer = RecordingObserver()
        phone.device.paymentQueue.add(observer)
        let account = TourAccount.adult.request
        try await phone.device.signIn(Credentials(account: account.account, password: account.password))

        try await phone.shop.refreshReceipt()
        await phone.shop.waitUntilIdle()
        try expect("the number of transactions from the receipt refresh", observer.updates, 0)

        let wanted: Set<ProductID> = [MonkeyShopProduct.sepia, MonkeyShopProduct.book]
        let outcome = await phone.shop.restore(wanted)
        await phone.shop.waitUntilIdle()
        guard case .finished(let difference) = outcome else { throw TourFailure(expected: "a finished restore", found: "\(outcome)") }
        let skipped = difference.skipped
        try expect("the restored products", Set(difference.gained), wanted)
        try expect("the magazine among the skipped products", skipped.contains(MonkeyShopProduct.magazine), found: "\(skipped)")
        let restored = observer.restored
        let areNew = restored.allSatisfy { $0.id != $0.original && !$0.original.isEmpty }
        try expect("a new transaction for each product", areNew, found: "\(restored)")
        try expect("the purchases as original transactions", bought.isSubset(of: restored.map(\.original)), found: "\(restored)")
        try expect("the number of transactions in the queue", phone.device.paymentQueue.transactions.count, 0)
        let page = await phone.shop.openBook()
        guard case .firstLine = page else { throw TourFailure(expected: "the book", found: "\(page)") }
        let balance = try await phone.shop.serverBalance()
        try expect("credits on the server", balance > 0, found: "\(balance)")
        try expect("the balance of the vault", await phone.shop.vault.balance, 0)
        return StepResult(
            app: "Filter and book are restored, the magazine was not selected; \(balance) credits",
            evidence: "transactions: 0 from the receipt refresh, \(restored.count) from the restore, such as \(restored[0].id), original "
                + "\(restored[0].original); \(balance) credits from the server's ledger, 0 from the store"
        )
    }

    /// Buys filter, book, magazine and credits on the first phone, and returns the transaction IDs of the restorable purchases.
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
