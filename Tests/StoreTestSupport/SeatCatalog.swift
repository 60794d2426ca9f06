package import PurchaseModel

/// The catalog of tests about seats: a subscription in seats at 12.00, and 9.00 from the fourth seat on, and a higher one without seats.
package enum SeatCatalog {
    package static func storekit(_ management: InvitationManagement = .apple, purchaserTakesSeat: Bool = false) -> String {
        """
        {
          "identifier" : "8A1B2C3D",
          "subscriptionGroups" : [
            {
              "id" : "21A2B3C4", "name" : "Team",
              "subscriptions" : [
                {
                  "productID" : "team.monthly", "type" : "RecurringSubscription", "displayPrice" : "12.00",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 2,
                  "localizations" : [ { "displayName" : "Team", "description" : "", "locale" : "en_US" } ],
                  "_tillrollSeats" : {
                    "invitationManagement" : "\(management.rawValue)", "purchaserTakesSeat" : \(purchaserTakesSeat),
                    "priceTiers" : [ { "minimumSeats" : 4, "displayPrice" : "9.00" } ]
                  }
                },
                {
                  "productID" : "solo.monthly", "type" : "RecurringSubscription", "displayPrice" : "8.00",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1
                }
              ]
            }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """
    }
}
