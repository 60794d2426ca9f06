import Foundation
import PurchaseModel

extension Money {
    /// The amount in the type of StoreKit 1.
    var number: NSDecimalNumber { NSDecimalNumber(decimal: decimal) }

    /// A locale that formats the amount: an identifier such as `en_US`, with the amount's currency.
    func locale(_ identifier: String) -> Locale {
        Locale(identifier: "\(identifier)@currency=\(currency)")
    }
}
