import FoundationExtras

/// The subject of a notification: a purchase, renewal date extensions, an external purchase token, or the app.
public enum NotificationSubject: Hashable, Sendable {
    /// A purchase that changed.
    case data(NotificationData)
    /// The result of a request to extend the renewal dates of many subscribers.
    case summary(NotificationSummary)
    /// A token that identifies an external purchase, which a customer makes outside of the App Store.
    case externalPurchaseToken(ExternalPurchaseToken)
    /// The app itself.
    case appData(NotificationAppData)
    /// A subject that this version does not know.
    case unknown(UnknownNotificationSubject)
}

/// The subject of a notification whose members this version does not know, such as one that the App Store introduced later.
///
/// The subject retains the members, so that a later version can decode them. The app and the environment are those that the notification or
/// one of its unknown objects states, so that a verifier can check them.
public struct UnknownNotificationSubject: Hashable, Sendable {
    /// The members of the notification that this version does not know, in the order of their names.
    let members: [JSONValue.Member]

    init(_ members: [JSONValue.Member]) {
        self.members = members
    }

    /// Creates a subject without members, for a notification that consists of ``NotificationPayload/unclaimInfo``.
    public init() {
        members = []
    }

    /// The names of the members that this version does not know.
    public var names: [String] { members.map(\.name) }

    /// The app's bundle identifier, if present.
    public var bundleId: BundleID? { stated("bundleId")?.text.map { BundleID($0) } }

    /// The app's Apple ID in the App Store, if present.
    public var appAppleId: Int64? {
        if case .number(let digits)? = stated("appAppleId") { Int64(digits) } else { nil }
    }

    /// The server environment, if present.
    public var environment: String? { stated("environment")?.text }

    /// Returns the value of a member of the notification, or of the first unknown object that has the member.
    private func stated(_ name: String) -> JSONValue? {
        members.first { $0.name == name }?.value ?? members.lazy.compactMap { $0.value[name] }.first
    }
}

/// The claims of seats that the App Store released in a group whose members the developer's server invites.
///
/// Source: Apple's `unclaimInfo`, whose members except the claims are not known to this project; the others are those of similar objects.
public struct UnclaimInfo: Codable, Hashable, Sendable {
    /// The identifiers of the released claims.
    public var unclaimSeatIds: [String]
    /// The app's Apple ID in the App Store, if present.
    public var appAppleId: Int64?
    /// The app's bundle identifier, if present.
    public var bundleId: BundleID?
    /// The server environment, if present.
    public var environment: String?
    /// The original transaction identifier of the purchaser's subscription, if present.
    public var originalTransactionId: TransactionID?

    /// Creates the claims that were released.
    public init(unclaimSeatIds: [String]) {
        self.unclaimSeatIds = unclaimSeatIds
    }
}

/// The part of a notification that describes the app that the notification concerns.
public struct NotificationAppData: Codable, Hashable, Sendable {
    /// The app's Apple ID in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The server environment of the app's original purchase.
    public var environment: String
    /// The app transaction as a nested JWS, which carries its own signature.
    public var signedAppTransactionInfo: SignedAppTransaction?

    /// Creates the data of a notification about an app.
    public init(bundleId: BundleID, environment: String) {
        self.bundleId = bundleId
        self.environment = environment
    }
}

/// A token that identifies an external purchase, which a customer makes outside of the App Store.
public struct ExternalPurchaseToken: Codable, Hashable, Sendable {
    /// The token's identifier; in the sandbox it begins with `SANDBOX`.
    public var externalPurchaseId: String
    /// The creation date of the token.
    public var tokenCreationDate: Timestamp?
    /// The app's Apple ID in the App Store.
    public var appAppleId: Int64?
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The type of the token, as Apple spells it.
    public var tokenType: String?
    /// The expiration date of the token.
    public var tokenExpirationDate: Timestamp?

    /// Creates an external purchase token.
    public init(externalPurchaseId: String, bundleId: BundleID) {
        self.externalPurchaseId = externalPurchaseId
        self.bundleId = bundleId
    }

    /// The server environment of the token, according to the prefix of its identifier.
    public var environment: AppEnvironment { externalPurchaseId.hasPrefix("SANDBOX") ? .sandbox : .production }
}
