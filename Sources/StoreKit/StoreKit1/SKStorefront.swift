public import Foundation
import PurchaseModel

/// The App Store storefront of the account.
open class SKStorefront: NSObject, @unchecked Sendable {
    /// Set once, before other threads can access the object.
    private var storefront: PurchaseModel.Storefront?
    private let keyed = KeyedValues()

    /// Creates a storefront without content, for subclasses.
    public override init() {}

    convenience init(_ storefront: PurchaseModel.Storefront) {
        self.init()
        self.storefront = storefront
    }

    /// The ISO 3166-1 alpha-3 country code, such as `USA`.
    open var countryCode: String { keyed["countryCode"] ?? storefront?.countryCode ?? "" }
    /// The identifier of the storefront, such as `143441`.
    open var identifier: String { keyed["identifier"] ?? storefront?.id ?? "" }

    /// Whether another storefront has the same country code and identifier.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKStorefront else { return false }
        return countryCode == other.countryCode && identifier == other.identifier
    }

    /// A hash of the identifier.
    open override var hash: Int { identifier.hashValue }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
