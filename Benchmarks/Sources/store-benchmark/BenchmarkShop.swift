import PurchaseModel

/// The products of the measured stores.
enum BenchmarkShop {
    static let bundleID: BundleID = "com.example.benchmark"
    static let credits: ProductID = "com.example.benchmark.credits"
    static let monthly: ProductID = "com.example.benchmark.monthly"

    static let storekit = """
        {
          "products" : [
            { "productID" : "com.example.benchmark.credits", "type" : "Consumable", "displayPrice" : "0.99" },
            { "productID" : "com.example.benchmark.book", "type" : "NonConsumable", "displayPrice" : "4.99" }
          ],
          "subscriptionGroups" : [
            {
              "id" : "21A2B3C4", "name" : "Magazine",
              "subscriptions" : [
                {
                  "productID" : "com.example.benchmark.monthly", "type" : "RecurringSubscription", "displayPrice" : "2.99",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1, "subscriptionGroupID" : "21A2B3C4"
                }
              ]
            }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """
}
