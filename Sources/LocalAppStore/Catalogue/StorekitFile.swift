/// The parts of a `.storekit` file that the store reads; every other key is ignored.
///
/// Xcode writes these files and documents none of it, and people write them by hand, so all that has a sensible default is optional.
struct StorekitFile: Decodable {
    struct Version: Decodable {
        var major: Int
    }

    struct Localization: Decodable {
        var locale: String?
        var displayName: String?
        var description: String?
    }

    struct Product: Decodable {
        var productID: String
        var type: String?
        var displayPrice: String?
        var referenceName: String?
        var familyShareable: Bool?
        var localizations: [Localization]?
        var recurringSubscriptionPeriod: String?
        var groupNumber: Int?
    }

    struct Group: Decodable {
        var id: String
        var subscriptions: [Product]?
    }

    struct Settings: Decodable {
        var locale: String?
        var storefront: String?
        var billingGracePeriodEnabled: Bool?

        private enum CodingKeys: String, CodingKey {
            case locale = "_locale"
            case storefront = "_storefront"
            case billingGracePeriodEnabled = "_billingGracePeriodEnabled"
        }
    }

    var version: Version?
    var products: [Product]?
    var nonRenewingSubscriptions: [Product]?
    var subscriptionGroups: [Group]?
    var settings: Settings?
}
