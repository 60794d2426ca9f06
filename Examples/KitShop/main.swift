import Foundation
import OpenStoreKit
import PurchaseKit
import PurchaseModel

// The folder of the simulated device is the place for the app's files.
let folder = Device.active?.configuration.folder ?? "."
let purchases = try await openPurchases(of: "com.example.shop", in: folder + "/purchases")
for await state in purchases.states where state.areEntitlementsKnown || !state.problems.isEmpty { break }

var message: String?
switch CommandLine.arguments.dropFirst().first {
case "buy-coins": message = await buy(.coins, from: purchases)
case "buy-sepia": message = await buy(.sepia, from: purchases)
case "restore":
    message = await Device.withUserGesture {
        await restore(purchases) { offered in Set(offered.map(\.id)) }
    }
default: break
}
print((screen(purchases.state) + [message].compactMap(\.self)).joined(separator: "\n"))
