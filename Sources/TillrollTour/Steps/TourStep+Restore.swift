import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import StoreKit

extension TourStep {
    static let restore = TourStep(number: 10, title: "A second phone restores what its user picks") { stage in
        let bought = try await prepare(stage)
        let phone = try await stage.launch(.second)
        let witness = TransactionWitness()
        phone.device.paymentQueue.add(witness)
        let account = StageAccount.grownUp.request
        try await phone.device.signIn(Credentials(account: account.account, password: account.password))

        try await phone.shop.refreshReceipt()
        await phone.shop.settle()
        try expect("transactions made by refreshing the receipt", witness.updates, 0)

        let wanted: Set<ProductID> = [MonkeyShopProduct.sepia, MonkeyShopProduct.book]
        let outcome = await phone.shop.restore(wanted)
        await phone.shop.settle()
        guard case .finished(let difference) = outcome else { throw TourFailure(expected: "a finished restore", found: "\(outcome)") }
        let skipped = difference.skipped
        try expect("what was gained", Set(difference.gained), wanted)
        try expect("the rest to be finished at once", skipped.contains(MonkeyShopProduct.magazine), found: "\(skipped)")
        let restored = witness.restored
        try expect("a new transaction each", restored.allSatisfy { $0.id != $0.original && !$0.original.isEmpty }, found: "\(restored)")
        try expect("their originals to be those of the purchases", bought.isSubset(of: restored.map(\.original)), found: "\(restored)")
        try expect("the queue", phone.device.paymentQueue.transactions.count, 0)
        let page = await phone.shop.openBook()
        guard case .firstLine = page else { throw TourFailure(expected: "the book", found: "\(page)") }
        let balance = try await phone.shop.serverBalance()
        try expect("credits at the server", balance > 0, found: "\(balance)")
        try expect("credits from the store", await phone.shop.vault.balance, 0)
        return Scene(
            app: "Filter and book are back; the magazine was not wanted; \(balance) credits",
            evidence: "refresh made 0 transactions; restore made \(restored.count), for example \(restored[0].id) of original "
                + "\(restored[0].original); \(balance) credits from the server's ledger, 0 from the store"
        )
    }

    /// The purchases of the first phone: filter, book, magazine and credits.
    private static func prepare(_ stage: Stage) async throws -> Set<String> {
        let phone = try await stage.launch(.first)
        let kept = [
            try await phone.own(MonkeyShopProduct.sepia), try await phone.own(MonkeyShopProduct.book),
            try await phone.own(MonkeyShopProduct.magazine),
        ]
        _ = try await phone.own(MonkeyShopProduct.credits5)
        return Set(kept.map(\.rawValue))
    }
}
