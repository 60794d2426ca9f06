import PurchaseModel

/// The products of random histories, in the store's format and in the server's.
///
/// The yearly plan has a lower level than the monthly plan, so an upgrade replaces a long period with a shorter one.
enum HistoryCatalog {
    static let consumables: [ProductID] = ["com.example.history.coins5", "com.example.history.coins50"]
    static let nonConsumables: [ProductID] = ["com.example.history.book", "com.example.history.filter"]
    static let season: ProductID = "com.example.history.season"
    static let subscriptions: [ProductID] = [
        "com.example.history.gold.monthly", "com.example.history.silver.weekly", "com.example.history.silver.yearly",
        "com.example.history.news",
    ]

    /// The subscription that is also sold with monthly charges and a commitment of a year.
    static let withMonthlyPlan: ProductID = "com.example.history.silver.yearly"

    /// The subscription that is sold in seats, whose members the store invites.
    static let withSeats: ProductID = "com.example.history.news"

    /// The credits for one unit of each product; other products have none.
    static let credits: [ProductID: Int64] = [
        "com.example.history.coins5": 5, "com.example.history.coins50": 50, "com.example.history.book": 7,
        "com.example.history.season": 4, "com.example.history.gold.monthly": 10, "com.example.history.silver.weekly": 3,
        "com.example.history.silver.yearly": 100,
    ]

    static let serverProducts = (consumables + nonConsumables + [season] + subscriptions).map { id in
        // A consumable gives only the entitlements that are listed.
        ServerProduct(
            id: id, credits: credits[id].map { Int($0) }, entitlements: consumables.contains(id) ? [EntitlementName(id.rawValue)] : nil)
    }

    static let storekit = """
        {
          "identifier" : "8A1B2C3D",
          "nonRenewingSubscriptions" : [
            { "productID" : "com.example.history.season", "type" : "NonRenewingSubscription", "displayPrice" : "9.99" }
          ],
          "products" : [
            { "productID" : "com.example.history.coins5", "type" : "Consumable", "displayPrice" : "0.99" },
            { "productID" : "com.example.history.coins50", "type" : "Consumable", "displayPrice" : "7.99" },
            { "productID" : "com.example.history.book", "type" : "NonConsumable", "displayPrice" : "4.99", "familyShareable" : true },
            { "productID" : "com.example.history.filter", "type" : "NonConsumable", "displayPrice" : "1.99" }
          ],
          "settings" : {},
          "subscriptionGroups" : [
            {
              "id" : "21A2B3C4",
              "name" : "Club",
              "subscriptions" : [
                {
                  "productID" : "com.example.history.gold.monthly", "type" : "RecurringSubscription", "displayPrice" : "9.99",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1, "familyShareable" : true
                },
                {
                  "productID" : "com.example.history.silver.weekly", "type" : "RecurringSubscription", "displayPrice" : "0.99",
                  "recurringSubscriptionPeriod" : "P1W", "groupNumber" : 2
                },
                {
                  "productID" : "com.example.history.silver.yearly", "type" : "RecurringSubscription", "displayPrice" : "39.99",
                  "recurringSubscriptionPeriod" : "P1Y", "groupNumber" : 2,
                  "billingPlans" : [ { "billingPlanType" : "MONTHLY", "displayPrice" : "3.99", "isEnabled" : true } ]
                }
              ]
            },
            {
              "id" : "31A2B3C4",
              "name" : "News",
              "subscriptions" : [
                {
                  "productID" : "com.example.history.news", "type" : "RecurringSubscription", "displayPrice" : "2.99",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1,
                  "_tillrollSeats" : { "priceTiers" : [ { "minimumSeats" : 3, "displayPrice" : "1.99" } ] }
                }
              ]
            }
          ],
          "version" : { "major" : 5, "minor" : 0 }
        }
        """
}
