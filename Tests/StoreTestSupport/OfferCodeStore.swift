import Foundation
package import PurchaseModel

/// A store with a reusable offer code for the magazine, and a higher service level in the magazine's subscription group.
package enum OfferCodeStore {
    /// The offer code.
    package static let code = "FRIENDS"
    /// The subscription at the higher service level.
    package static let gold: ProductID = "com.example.monkeyshop.magazine.gold"

    /// Starts a separate store.
    package static func start() async throws -> StoreHarness {
        try await StoreHarness.start(storekit: storekit())
    }

    private static func storekit() throws -> Data {
        guard var file = try JSONSerialization.jsonObject(with: SampleCatalog.storekit) as? [String: Any],
            var groups = file["subscriptionGroups"] as? [[String: Any]], var group = groups.first,
            var magazine = (group["subscriptions"] as? [[String: Any]])?.first
        else { throw CocoaError(.fileReadCorruptFile) }
        magazine["groupNumber"] = 2
        magazine["codeOffers"] = [
            [
                "displayPrice": "0.99", "eligibility": ["new", "existing", "expired"], "internalID": "4D4F00C1", "isStackable": true,
                "paymentMode": "payUpFront", "referenceName": code, "subscriptionPeriod": "P1M",
            ] as [String: Any]
        ]
        var better = magazine
        better["groupNumber"] = 1
        better["codeOffers"] = [String]()
        better["productID"] = gold.rawValue
        better["internalID"] = "4D4F00C2"
        better["referenceName"] = "Magazine, gold"
        better["displayPrice"] = "9.99"
        group["subscriptions"] = [magazine, better]
        groups[0] = group
        file["subscriptionGroups"] = groups
        return try JSONSerialization.data(withJSONObject: file)
    }
}
