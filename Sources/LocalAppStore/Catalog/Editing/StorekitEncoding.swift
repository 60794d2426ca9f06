import FoundationExtras
import PurchaseModel

/// Functions that encode values of a catalog as the JSON of a `.storekit` file.
enum StorekitEncoding {
    /// Encodes a price as a plain decimal such as `0.99`, with none, two or three fraction digits as necessary.
    static func price(_ money: Money) -> JSONValue {
        let (units, rest) = money.milliunits.quotientAndRemainder(dividingBy: 1000)
        guard rest != 0 else { return .string("\(units)") }
        let decimals = String(String(1000 + rest).dropFirst())
        return .string("\(units).\(decimals.hasSuffix("0") ? String(decimals.dropLast()) : decimals)")
    }

    static func type(_ type: ProductType) -> JSONValue {
        switch type {
        case .consumable: "Consumable"
        case .nonConsumable: "NonConsumable"
        case .nonRenewing: "NonRenewingSubscription"
        case .autoRenewable, .freeSubscription: "RecurringSubscription"
        }
    }

    static func mode(_ mode: OfferDiscountType) -> JSONValue {
        switch mode {
        case .freeTrial: "free"
        case .payAsYouGo: "payAsYouGo"
        case .payUpFront, .oneTime: "payUpFront"
        }
    }

    static func localizations(_ texts: [CatalogLocalization], over old: [JSONValue]) -> JSONValue {
        .array(
            texts.map { text in
                var json = old.first { $0.hasValue("locale", text.locale) } ?? .object([])
                json.set("locale", to: .string(text.locale))
                json.set("displayName", to: .string(text.name))
                json.set("description", to: .string(text.summary))
                return json
            }
        )
    }

    /// Creates the internal ID of a new object: eight hexadecimal digits.
    ///
    /// The digits are derived from `name`, so that the same change of a catalog always results in the same file.
    static func internalID(_ name: String) -> JSONValue {
        // The hash function is FNV-1a.
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return .string(withUnsafeBytes(of: hash.bigEndian) { Hexadecimal.encode($0, uppercase: true) })
    }
}
