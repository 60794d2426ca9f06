import Foundation
package import LocalAppStore
package import PurchaseModel

extension ProductID {
    package static let credits: ProductID = "com.example.monkeyshop.credits5"
    package static let filter: ProductID = "com.example.monkeyshop.filter"
    package static let book: ProductID = "com.example.monkeyshop.book"
    package static let season: ProductID = "com.example.monkeyshop.season"
    package static let magazine: ProductID = "com.example.monkeyshop.magazine"
    package static let magazineWeekly: ProductID = "com.example.monkeyshop.magazine.weekly"
    package static let news: ProductID = "com.example.monkeyshop.news"
    package static let expensive: ProductID = "com.example.monkeyshop.expensive"
}

/// A catalog with products of each type, in Xcode's `.storekit` format.
package enum TestCatalog {
    package static func make() throws -> Catalog {
        try Catalog(storekit: Data(storekit.utf8))
    }

    package static let storekit = """
        {
          "identifier" : "8A1B2C3D",
          "nonRenewingSubscriptions" : [
            { "productID" : "com.example.monkeyshop.season", "type" : "NonRenewingSubscription", "displayPrice" : "9.99" }
          ],
          "products" : [
            {
              "displayPrice" : "0.99",
              "familyShareable" : false,
              "internalID" : "1",
              "localizations" : [
                { "description" : "Fünf Münzen.", "displayName" : "5 Münzen", "locale" : "de" },
                { "description" : "Five credits.", "displayName" : "5 credits", "locale" : "en_US" }
              ],
              "productID" : "com.example.monkeyshop.credits5",
              "referenceName" : null,
              "type" : "Consumable"
            },
            { "productID" : "com.example.monkeyshop.filter", "type" : "NonConsumable", "displayPrice" : "1.99" },
            { "productID" : "com.example.monkeyshop.book", "type" : "NonConsumable", "displayPrice" : "4.99", "familyShareable" : true },
            { "productID" : "com.example.monkeyshop.expensive", "type" : "Consumable", "displayPrice" : "999999999999" }
          ],
          "settings" : {},
          "subscriptionGroups" : [
            {
              "id" : "21A2B3C4",
              "name" : "Magazine",
              "subscriptions" : [
                {
                  "productID" : "com.example.monkeyshop.magazine", "type" : "RecurringSubscription", "displayPrice" : "2.99",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1, "subscriptionGroupID" : "21A2B3C4"
                },
                {
                  "productID" : "com.example.monkeyshop.magazine.weekly", "type" : "RecurringSubscription", "displayPrice" : "0.99",
                  "recurringSubscriptionPeriod" : "P1W", "groupNumber" : 2, "subscriptionGroupID" : "21A2B3C4"
                }
              ]
            },
            {
              "id" : "31A2B3C4",
              "name" : "News",
              "subscriptions" : [
                {
                  "productID" : "com.example.monkeyshop.news", "type" : "RecurringSubscription", "displayPrice" : "0",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1
                }
              ]
            }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """
}
