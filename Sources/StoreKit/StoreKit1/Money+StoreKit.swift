import Foundation
import PurchaseModel

extension Money {
    /// The amount as an `NSDecimalNumber`, which is the type of StoreKit 1's prices.
    var number: NSDecimalNumber { NSDecimalNumber(decimal: decimal) }

    /// Returns a locale that formats the amount in its currency.
    ///
    /// - Parameter identifier: The identifier of the locale without a currency, such as `en_US`.
    func locale(_ identifier: String) -> Locale {
        Locale(identifier: "\(identifier)@currency=\(currency)")
    }
}
