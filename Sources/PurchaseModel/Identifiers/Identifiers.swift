/// The identifier with which a customer signs in to the store.
public struct AccountID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The bundle identifier of an app, such as `com.example.monkeyshop`.
public struct BundleID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The name of one file of a product's content, such as `book` or `extras`.
public struct ContentItemName: WireIdentifier {
    /// The name of the item of a product whose content is a single file.
    public static let main: ContentItemName = "main"

    /// The name as text.
    public let rawValue: String

    /// Creates a name from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The name of a version of a content item, such as `1.2`, which the developer chooses.
public struct ContentVersionName: WireIdentifier {
    /// The name as text.
    public let rawValue: String

    /// Creates a name from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The name of a kind of credits, such as `coins`.
public struct CurrencyID: WireIdentifier {
    /// The currency of products whose configuration names none.
    public static let credits: CurrencyID = "credits"

    /// The name as text.
    public let rawValue: String

    /// Creates a name from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The name of an entitlement, such as `premium`, which one or more products give.
public struct EntitlementName: WireIdentifier {
    /// The name as text.
    public let rawValue: String

    /// Creates a name from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a product, unique within its app.
public struct ProductID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identifier of a subscription group, in which a customer has at most one active subscription.
public struct SubscriptionGroupID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The store's identifier of a transaction, which consists of decimal digits.
///
/// The digits stay text, because they exceed the integers that a floating-point number represents exactly.
public struct TransactionID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
