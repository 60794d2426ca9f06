public import Foundation
import PurchaseModel

/// The App Store storefront of an account: the country or region in which the account makes purchases.
open class SKStorefront: NSObject, @unchecked Sendable {
    /// The storefront in the store's response; set once, before other threads can access the object.
    private var storefront: PurchaseModel.Storefront?
    private let keyed = KeyedValues()

    /// Creates a storefront with default values, for subclasses.
    public override init() {}

    convenience init(_ storefront: PurchaseModel.Storefront) {
        self.init()
        self.storefront = storefront
    }

    /// The country or region of the storefront, as an ISO 3166-1 alpha-3 code such as `USA`.
    open var countryCode: String { keyed["countryCode"] ?? storefront?.countryCode ?? "" }
    /// The identifier of the storefront, such as `143441`.
    open var identifier: String { keyed["identifier"] ?? storefront?.id ?? "" }

    /// Returns whether another object is a storefront with the same country code and identifier.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKStorefront else { return false }
        return countryCode == other.countryCode && identifier == other.identifier
    }

    /// A hash value of the storefront identifier.
    open override var hash: Int { identifier.hashValue }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
