import Foundation
import StoreKitTest

/// Creates test sessions from a sample `.storekit` file.
enum SessionFile {
    static let coins = "com.example.coins"
    static let pro = "com.example.pro"
    static let monthly = "com.example.monthly"
    static let yearly = "com.example.yearly"

    /// Creates a session from a temporary `.storekit` file with the text.
    static func session(_ text: String = storekit) throws -> SKTestSession {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).storekit")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try SKTestSession(contentsOf: url)
    }

    static let storekit = """
        {
          "identifier" : "0A1B2C3D",
          "nonRenewingSubscriptions" : [],
          "products" : [
            {
              "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "1",
              "localizations" : [
                { "description" : "A hundred coins.", "displayName" : "Coins", "locale" : "en_US" },
                { "description" : "Hundert Münzen.", "displayName" : "Münzen", "locale" : "de" }
              ],
              "productID" : "com.example.coins", "referenceName" : "Coins", "type" : "Consumable"
            },
            {
              "displayPrice" : "4.99", "familyShareable" : true, "internalID" : "2", "localizations" : [],
              "productID" : "com.example.pro", "referenceName" : "Pro", "type" : "NonConsumable"
            }
          ],
          "settings" : {},
          "subscriptionGroups" : [
            {
              "id" : "1A2B3C4D", "localizations" : [], "name" : "Club",
              "subscriptions" : [
                {
                  "adHocOffers" : [
                    {
                      "displayPrice" : "0.99", "internalID" : "5", "offerID" : "loyal", "paymentMode" : "payUpFront",
                      "referenceName" : "loyal", "subscriptionPeriod" : "P1M"
                    }
                  ],
                  "codeOffers" : [
                    {
                      "eligibility" : [ "new", "existing", "expired" ], "internalID" : "6", "paymentMode" : "free",
                      "referenceName" : "FRIENDS", "subscriptionPeriod" : "P1M"
                    }
                  ],
                  "displayPrice" : "2.99", "familyShareable" : false, "groupNumber" : 1, "internalID" : "3", "introductoryOffer" : null,
                  "localizations" : [], "productID" : "com.example.monthly", "recurringSubscriptionPeriod" : "P1M",
                  "referenceName" : "Monthly", "subscriptionGroupID" : "1A2B3C4D", "type" : "RecurringSubscription"
                },
                {
                  "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "19.99", "familyShareable" : false, "groupNumber" : 1,
                  "internalID" : "4",
                  "introductoryOffer" : { "internalID" : "7", "paymentMode" : "free", "subscriptionPeriod" : "P1W" },
                  "localizations" : [], "productID" : "com.example.yearly", "recurringSubscriptionPeriod" : "P1Y",
                  "referenceName" : "Yearly", "subscriptionGroupID" : "1A2B3C4D", "type" : "RecurringSubscription"
                }
              ]
            }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """
}
