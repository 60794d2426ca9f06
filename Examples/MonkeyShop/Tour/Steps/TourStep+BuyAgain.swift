import MonkeyShop
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreControl

extension TourStep {
    static let buyAgain = TourStep(number: 4, title: "Buys a photo filter twice") { tour in
        let phone = try await tour.launch(.first)
        let first = try await phone.buyIfNeeded(MonkeyShopProduct.sepia)
        guard case .purchased(let again, .delivered) = try await phone.buy(MonkeyShopProduct.sepia) else {
            throw TourFailure(expected: "an ordinary purchase", found: "another outcome")
        }
        let payload = again.transaction.payload
        try expect("an ordinary transaction, not a restored one", !again.isRestored, found: "a restored one")
        try expect("the transaction of the owned filter", payload.originalTransactionId, first)
        let charges = try await tour.charges(.adult).filter { $0.productID == MonkeyShopProduct.sepia }
        try expect("the charges for the filter", charges.map(\.amount.milliunits), [1990])
        return StepResult(
            app: "The sepia filter is unlocked; the second purchase charges nothing",
            evidence: "both purchases have transaction \(payload.transactionId); 1 charge of "
                + charges[0].amount.formatted(locale: "en_US")
        )
    }
}
