/// Lines of the sample app's source that a screen runs; a test finds each in its file.
struct CodeView: Equatable, Sendable {
    /// The path of the file in `Sources`.
    let file: String
    let text: String

    static let all: [ShopPhone.Screen: [CodeView]] = [
        .shop: [
            CodeView(
                file: "MonkeyShop/Shop/MonkeyShop.swift",
                text: """
                    MonkeyShopProduct.credits5: .credit(.credits, 5),
                    MonkeyShopProduct.credits10: .credit(.credits, 10),
                    try await purchases.debit(amount, of: .credits, idempotencyKey: order)
                    """),
            CodeView(
                file: "MonkeyShopUI/World/ShopPhone.swift",
                text: "let outcome = await tap { await $0.purchases.buy(product, quantity: quantity) }"),
        ],
        .filters: [
            CodeView(
                file: "MonkeyShopUI/View/PageView.swift",
                text: "func isOwned(_ product: ProductID) -> Bool { state.entitlement(to: product)?.isActive == true }")
        ],
        .books: [
            CodeView(
                file: "MonkeyShop/Shop/MonkeyShop.swift",
                text: """
                    MonkeyShopProduct.book: .deliver(content),
                    MonkeyShopProduct.atlas: .downloadLater(content),
                    MonkeyShopProduct.songs: .deliver(hostedContent),
                    await onDevice { await purchases.download(book.product) }
                    """)
        ],
        .magazine: [
            CodeView(
                file: "MonkeyShop/Shop/MonkeyShop.swift",
                text: """
                    purchases.nonRenewingDurations[MonkeyShopProduct.summerPass] = BillingPeriod(3, .month)
                    let signature = PurchaseOffer.promotional(id: offer, compactJWS: reply.compactJWS ?? "")
                    return await onDevice { await purchases.buy(product, offer: signature) }
                    """)
        ],
        .settings: [
            CodeView(
                file: "MonkeyShop/Shop/MonkeyShop.swift",
                text: """
                    await observer.restore(applicationUsername: username?.rawValue, choose: choose)
                    try await purchases.exportPurchases(sealedTo: .passphrase(passphrase))
                    try await purchases.importPurchases(export, sealedTo: .passphrase(passphrase))
                    """)
        ],
    ]
}
