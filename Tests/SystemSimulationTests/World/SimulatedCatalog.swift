import Foundation
import PurchaseModel
import PurchaseServer

/// The products of the simulation, in the store's format and in the server's.
enum SimulatedCatalog {
    /// A product, whose raw value is the last part of its identifier.
    enum Item: String, CaseIterable, Sendable {
        case coins5, coins50, filter, book, monthly, weekly, yearly
        /// A subscription in seats whose members the App Store invites.
        case team
        /// A subscription in seats whose members the developer's server invites.
        case crew

        var id: ProductID { ProductID("com.example.simulation.\(rawValue)") }

        /// The credits for one unit; 0 for none.
        var credits: Int64 {
            switch self {
            case .coins5: 5
            case .coins50: 50
            case .monthly: 10
            case .weekly: 3
            case .filter, .book, .yearly, .team, .crew: 0
            }
        }

        var isConsumable: Bool { self == .coins5 || self == .coins50 }

        /// The products that are sold without seats.
        static let withoutSeats = allCases.filter { $0 != .team && $0 != .crew }
    }

    static let credits = Dictionary(uniqueKeysWithValues: Item.allCases.map { ($0.id, $0.credits) })
    static let consumables = Set(Item.allCases.filter(\.isConsumable).map(\.id))
    static let serverProducts = Item.allCases.map { item in
        // A consumable gives only the entitlements that are listed.
        ServerProduct(
            id: item.id, credits: item.credits > 0 ? Int(item.credits) : nil,
            entitlements: item.isConsumable ? [EntitlementName(item.id.rawValue)] : nil)
    }

    /// The weekly plan begins with a free week, and the monthly plan is an upgrade of both other plans. Further seats cost less.
    static let storekit = Data(
        """
        {
          "identifier" : "8A1B2C3D",
          "nonRenewingSubscriptions" : [],
          "products" : [
            { "productID" : "com.example.simulation.coins5", "type" : "Consumable", "displayPrice" : "0.99" },
            { "productID" : "com.example.simulation.coins50", "type" : "Consumable", "displayPrice" : "7.99" },
            { "productID" : "com.example.simulation.filter", "type" : "NonConsumable", "displayPrice" : "1.99" },
            { "productID" : "com.example.simulation.book", "type" : "NonConsumable", "displayPrice" : "4.99" }
          ],
          "settings" : { "_billingGracePeriodEnabled" : true },
          "subscriptionGroups" : [
            {
              "id" : "21A2B3C4",
              "name" : "Club",
              "subscriptions" : [
                {
                  "productID" : "com.example.simulation.monthly", "type" : "RecurringSubscription", "displayPrice" : "9.99",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1
                },
                {
                  "productID" : "com.example.simulation.weekly", "type" : "RecurringSubscription", "displayPrice" : "0.99",
                  "recurringSubscriptionPeriod" : "P1W", "groupNumber" : 2,
                  "introductoryOffer" : { "internalID" : "6A1B2C3D", "paymentMode" : "free", "subscriptionPeriod" : "P1W" }
                },
                {
                  "productID" : "com.example.simulation.yearly", "type" : "RecurringSubscription", "displayPrice" : "39.99",
                  "recurringSubscriptionPeriod" : "P1Y", "groupNumber" : 2
                }
              ]
            },
            {
              "id" : "31A2B3C4",
              "name" : "Team",
              "subscriptions" : [
                {
                  "productID" : "com.example.simulation.team", "type" : "RecurringSubscription", "displayPrice" : "9.99",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1,
                  "_tillrollSeats" : { "priceTiers" : [ { "minimumSeats" : 3, "displayPrice" : "7.99" } ] }
                }
              ]
            },
            {
              "id" : "41A2B3C4",
              "name" : "Crew",
              "subscriptions" : [
                {
                  "productID" : "com.example.simulation.crew", "type" : "RecurringSubscription", "displayPrice" : "4.99",
                  "recurringSubscriptionPeriod" : "P1W", "groupNumber" : 1,
                  "_tillrollSeats" : {
                    "invitationManagement" : "DEVELOPER", "priceTiers" : [ { "minimumSeats" : 3, "displayPrice" : "3.99" } ]
                  }
                }
              ]
            }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """.utf8)
}
