public import Foundation
import PurchaseModel

/// The country's store that the account buys in.
open class SKStorefront: NSObject, @unchecked Sendable {
    /// Set once, before anybody else sees it.
    private var storefront: PurchaseModel.Storefront?
    private let keyed = KeyedValues()

    /// Creates a storefront without content, for subclasses.
    public override init() {}

    convenience init(_ storefront: PurchaseModel.Storefront) {
        self.init()
        self.storefront = storefront
    }

    /// The country as ISO 3166-1 alpha-3, such as `USA`.
    open var countryCode: String { keyed["countryCode"] ?? storefront?.countryCode ?? "" }
    /// The store's number, such as `143441`.
    open var identifier: String { keyed["identifier"] ?? storefront?.id ?? "" }

    /// Whether it is the same store.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKStorefront else { return false }
        return countryCode == other.countryCode && identifier == other.identifier
    }

    /// A hash of the store's number.
    open override var hash: Int { identifier.hashValue }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
