import Foundation

let shop = FilterShop()
shop.open()
do {
    try await shop.load(["com.example.monkeyshop.filter.sepia", "com.example.monkeyshop.filter.moonlight"])
    for product in shop.products { print("\(product.displayName) for \(product.displayPrice)") }
    if let requestedID = CommandLine.arguments.dropFirst().first, let product = shop.products.first(where: { $0.id == requestedID }) {
        print(try await shop.buy(product))
    }
    await shop.refresh()
    print("Owned: \(shop.owned.sorted().joined(separator: ", "))")
} catch {
    print("The request to the store failed: \(error.localizedDescription)")
    exit(1)
}
