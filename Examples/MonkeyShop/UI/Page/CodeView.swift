/// Lines of the sample app's source that run for a screen; a test checks that the file contains each line.
struct CodeView: Equatable, Sendable {
    /// The path of the file in `Examples/MonkeyShop`.
    let file: String
    let text: String

    static let all: [ShopPhone.Screen: [CodeView]] = [
        .shop: [
            CodeView(
                file: "App/Shop/MonkeyShop.swift",
                text: """
                    MonkeyShopProduct.credits5: .credit(.credits, 5),
                    MonkeyShopProduct.credits10: .credit(.credits, 10),
                    try await purchases.debit(amount, of: .credits, idempotencyKey: order)
                    """),
            CodeView(
                file: "UI/Hosting/ShopPhone.swift",
                text: "let outcome = await tap { await $0.purchases.buy(product, quantity: quantity) }"),
        ],
        .filters: [
            CodeView(
                file: "UI/Page/PageView.swift",
                text: "func isOwned(_ product: ProductID) -> Bool { state.entitlement(to: product)?.isActive == true }")
        ],
        .books: [
            CodeView(
                file: "App/Shop/MonkeyShop.swift",
                text: """
                    MonkeyShopProduct.book: .deliver(content),
                    MonkeyShopProduct.atlas: .downloadLater(content),
                    MonkeyShopProduct.songs: .deliver(hostedContent),
                    await purchases.download(book.product)
                    """)
        ],
        .magazine: [
            CodeView(
                file: "App/Shop/MonkeyShop.swift",
                text: """
                    purchases.nonRenewingDurations[MonkeyShopProduct.summerPass] = BillingPeriod(3, .month)
                    await purchases.buy(product, promotionalOffer: offer)
                    """)
        ],
        .settings: [
            CodeView(
                file: "App/Shop/MonkeyShop.swift",
                text: """
                    await observer.restore(applicationUsername: username?.rawValue, choose: choose)
                    try await purchases.exportPurchases(sealedTo: .passphrase(passphrase))
                    try await purchases.importPurchases(export, sealedTo: .passphrase(passphrase))
                    """)
        ],
    ]
}
