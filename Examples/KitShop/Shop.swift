import Foundation
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit

#if os(Linux)
    import OpenStoreKit
#endif

extension ProductID {
    static let coins: ProductID = "com.example.coins"
    static let sepia: ProductID = "com.example.sepia"
}

/// What the shop delivers for each product.
let fulfillments: [ProductID: Fulfillment] = [
    .coins: .credit("coins", 5),
    .sepia: .unlock("sepia"),
]

/// Returns a verifier of transactions that the App Store signed for an app; on Linux, it accepts those of the local store, too.
func transactionVerifier(for app: BundleID) throws -> SignedDataVerifier {
    var roots = TrustedRoots.apple
    #if os(Linux)
        if let device = Device.active { roots = try roots.trusting(device.configuration.rootsPEM, in: [.sandbox]) }
    #endif
    return SignedDataVerifier(roots: roots, bundleID: app, environments: [.production, .sandbox])
}

/// Opens the vault in a folder, and resets it if the file can't be trusted.
func openVault(in folder: String, for app: BundleID) async throws -> Vault {
    let keychain = try FileKeychain(folder: folder + "/keychain")
    do {
        return try await Vault(path: folder + "/vault", keychain: keychain, bundleID: app)
    } catch {
        guard error.requiresReset else { throw error }
        return try await Vault(path: folder + "/vault", keychain: keychain, bundleID: app, resetting: true)
    }
}

/// Opens the app's purchases, and starts to deliver them.
@MainActor func openPurchases(of app: BundleID, in folder: String) async throws -> Purchases {
    let verifier = try transactionVerifier(for: app)
    let vault = try await openVault(in: folder, for: app)
    let configuration = PurchasesConfiguration(
        products: .builtIn([.coins, .sepia]), fulfillments: fulfillments, vault: vault, verifier: verifier)
    let purchases = Purchases(configuration)
    purchases.start()
    return purchases
}

/// Returns the lines of the shop's screen.
func screen(_ state: PurchasesState) -> [String] {
    let sepia = state.status(of: "sepia")
    var lines: [String] = []
    for product in state.products where product.id != .sepia || sepia == .none {
        let isEnabled = state.canMakePayments && !state.purchasing.contains(product.id)
        lines.append(isEnabled ? "[\(product.displayName): \(product.displayPrice)]" : product.displayName)
    }
    lines.append("Coins: \(state.balance(of: "coins"))")
    switch sepia {
    case .unknown: lines.append("Sepia: one moment")
    case .none: lines.append("Sepia: locked")
    case .owned: lines.append("Sepia: unlocked")
    }
    lines += state.pending.map { "Waiting for approval: \($0.productID)" }
    lines += state.problems.map { "\($0.message) \($0.nextStep)" }
    return lines
}

/// Shows the shop until the task is canceled.
@MainActor func show(_ purchases: Purchases, on display: ([String]) -> Void) async {
    for await state in purchases.states {
        display(screen(state))
    }
}

/// Buys a product, and returns the message for the user; nil if there is nothing to say.
@MainActor func buy(_ product: ProductID, from purchases: Purchases) async -> String? {
    switch await purchases.buy(product) {
    case .purchased(_, let delivery): delivery.message ?? "Thank you!"
    case .pending: "The purchase continues when it is approved."
    case .canceled: nil
    case .failed(let failure): "\(failure.message) \(failure.advice)"
    }
}

/// Spends coins for an order, and returns whether the customer had enough of them.
@MainActor func spend(_ coins: Int64, for order: String, from purchases: Purchases) async -> Bool {
    do {
        return try await purchases.debit(coins, of: "coins", idempotencyKey: order) != .refused
    } catch {
        return false
    }
}

/// Restores the products that the user chooses, and returns the message for the user; nil if there is nothing to say.
@MainActor func restore(
    _ purchases: Purchases, choose: @escaping @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>
) async -> String? {
    switch await purchases.restore(choose: choose) {
    case .completed(let difference) where !difference.undelivered.isEmpty: "Not everything could be restored. Try again later."
    case .completed(let difference): "Restored: \(difference.gained.count), already here: \(difference.kept.count)."
    case .nothingToRestore(let unreachable) where unreachable.isEmpty: "There is nothing to restore."
    case .nothingToRestore: "Nothing was found, but not every source could be reached. Try again later."
    case .canceled: nil
    case .failed(let failure): "\(failure.message) \(failure.advice)"
    }
}
