import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists an app's products.
struct StoreProductsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "List what an app sells.",
        discussion: """
              tillroll store products

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Option(help: "The app; without it the store's first one.") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ProductsReply {
        let bundleID = try await store.app(bundleID)
        return try await store.call(ControlEndpoints.products, ["bundle": bundleID.rawValue])
    }

    func lines(_ answer: ProductsReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["product", "kind", "price", "offers"])
        for product in answer.products {
            let offers = product.subscription?.offers.map { $0.id ?? "introductory" } ?? []
            let price = "\(product.price.decimal) \(product.price.currency)"
            table.add([product.id.rawValue, product.type.rawValue, price, offers.joined(separator: ", ")])
        }
        return table.isEmpty ? [style.faint("no products")] : table.lines(style, indent: "")
    }
}
