import Foundation

let shop = FilterShop()
shop.open()
do {
    try await shop.load(["com.example.monkeyshop.filter.sepia", "com.example.monkeyshop.filter.moonlight"])
    for product in shop.products { print("\(product.displayName) for \(product.displayPrice)") }
    if let wish = CommandLine.arguments.dropFirst().first, let product = shop.products.first(where: { $0.id == wish }) {
        print(try await shop.buy(product))
    }
    await shop.refresh()
    print("Owned: \(shop.owned.sorted().joined(separator: ", "))")
} catch {
    print("The store can't be asked: \(error.localizedDescription)")
    exit(1)
}
