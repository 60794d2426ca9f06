import Foundation
import PurchaseModel

extension Money {
    /// The amount as StoreKit 1 shows it.
    var number: NSDecimalNumber { NSDecimalNumber(decimal: decimal) }

    /// A locale that formats the amount: a language and place such as `en_US`, with the amount's currency.
    func locale(_ identifier: String) -> Locale {
        Locale(identifier: "\(identifier)@currency=\(currency)")
    }
}
