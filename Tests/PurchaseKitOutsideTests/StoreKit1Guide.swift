import Foundation
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit

final class CoinObserver: NSObject, SKPaymentTransactionObserver {
    private(set) var coins = 0
    private(set) var owned: Set<String> = []

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                deliver(transaction.payment)
                queue.finishTransaction(transaction)
            case .failed:
                if (transaction.error as? SKError)?.code != .paymentCancelled {
                    print(transaction.error?.localizedDescription ?? "The purchase failed.")
                }
                queue.finishTransaction(transaction)
            case .purchasing, .deferred:
                break
            @unknown default:
                break
            }
        }
    }

    private func deliver(_ payment: SKPayment) {
        switch payment.productIdentifier {
        case "com.example.coins": coins += 5 * payment.quantity
        default: owned.insert(payment.productIdentifier)
        }
    }
}

@MainActor final class CoinStore {
    let purchases: Purchases

    init(vault: Vault, verifier: SignedDataVerifier, presentation: PurchasePresentation) {
        let configuration = PurchasesConfiguration(
            products: .builtIn(["com.example.coins", "com.example.sepia"]),
            fulfillments: ["com.example.coins": .credit("coins", 5), "com.example.sepia": .unlock("sepia")],
            vault: vault, verifier: verifier, presentation: presentation)
        purchases = Purchases(configuration)
        purchases.start()
    }

    var coins: Int64 { purchases.state.balance(of: "coins") }

    /// Buys coins, and returns the message for the user; nil if the user canceled.
    func buyCoins(quantity: Int) async -> String? {
        switch await purchases.buy("com.example.coins", quantity: quantity) {
        case .purchased(_, let delivery): delivery.message ?? "You have \(coins) coins."
        case .pending: "The purchase continues when it is approved."
        case .canceled: nil
        case .failed(let failure): "\(failure.message) \(failure.advice)"
        }
    }
}

/// The purchased books, by the identifier of the transaction.
actor Library {
    private(set) var books: [String: String] = [:]

    func add(_ product: String, transaction: String) {
        books[transaction] = product
    }
}

/// Returns a fulfillment that calls the delivery code of the app.
func fulfillment(by library: Library) -> Fulfillment {
    .perform { purchase in
        await library.add(purchase.productID.rawValue, transaction: purchase.id.rawValue)
    }
}

/// Returns a presentation that defers promoted purchases during the tutorial.
func presentation(isTutorialRunning: @escaping @MainActor @Sendable () -> Bool) -> PurchasePresentation {
    var presentation = PurchasePresentation()
    presentation.decidePromotedPurchase = { _ in isTutorialRunning() ? .later : .buy }
    return presentation
}

/// Buys the promoted products that were deferred.
@MainActor func continuePromotedPurchases(of purchases: Purchases) async {
    for promotion in purchases.state.promotedPurchases {
        _ = await purchases.continuePromoted(promotion)
    }
}

@MainActor final class QueueStore {
    let observer: PaymentObserver

    init(_ purchases: Purchases) {
        observer = PaymentObserver(purchases)
        observer.start()
    }

    func buy(_ product: SKProduct, quantity: Int) {
        observer.add(observer.payment(for: product, quantity: quantity))
    }

    /// Restores what the user chooses, and finishes the restored transactions of the other products.
    func restore(choose: @escaping @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>) async -> RestoreOutcome {
        await observer.restore(reason: "settings", choose: choose)
    }
}
