public import PurchaseModel

/// A difference between the database and the values computed from its signed originals and recorded decisions.
public struct RebuildDifference: Codable, Hashable, Sendable {
    /// The part of the database that differs.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// A signed original with a damaged signature or row, or a missing signed original.
        case original
        /// The decoded copy of a signed event.
        case event
        /// A row with the newest version of a transaction or of renewal info, or with the start of a period.
        case version
        /// The entitlement or the customer of a purchase.
        case purchase
        /// A row of a customer's purchase list.
        case customerPurchase = "customer-purchase"
        /// The stored credits of a charge: added, revoked and written off.
        case credit
        /// A stored `CreditDecision` about added, revoked or returned credits.
        case decision
        /// A posting of the ledger.
        case posting
        /// The balance of a customer in a currency.
        case balance
        /// The columns of a stored notification.
        case notification
    }

    /// The way in which the difference was or can be resolved.
    public enum Resolution: String, Codable, Hashable, Sendable {
        /// A rebuild with writes would store the recomputed value.
        case repairable
        /// The recomputed value was written.
        case repaired
        /// The correct value is unknown, so the rebuild changed nothing.
        case restore
        /// The configuration does not trust the root of a signed original, so the row can't be checked.
        case trust
    }

    /// A stored value that differs from the recomputed value.
    public struct Change: Codable, Hashable, Sendable {
        /// The name of the value.
        public let member: String
        /// The value in the database; nil if the database has no value.
        public let stored: String?
        /// The value computed from the signed originals and the recorded decisions; nil if the database should have no value.
        public let recomputed: String?

        /// Creates a change.
        init(_ member: String, stored: String?, recomputed: String?) {
            self.member = member
            self.stored = stored
            self.recomputed = recomputed
        }
    }

    /// The bundle ID of the app.
    public let app: BundleID
    /// The part of the database that differs.
    public let kind: Kind
    /// The purchase; nil for a difference of a customer or a notification.
    public let purchase: TransactionID?
    /// The customer; nil for a difference that is independent of the customer.
    public let customer: CustomerID?
    /// The difference as a sentence.
    public let message: String
    /// The values that differ.
    public let changes: [Change]
    /// The way in which the difference was or can be resolved.
    public let resolution: Resolution

    /// The next step for the operator, as text.
    public var nextStep: String {
        switch resolution {
        case .repairable: "Run tillroll-server rebuild to write the recomputed value."
        case .repaired: "The recomputed value was written."
        case .trust:
            "The configured roots do not match this database: set extra-roots-file and environment as on the server that received the data, "
                + "and run the command again with --restart. The rebuild changed nothing."
        case .restore:
            "Restore the row from a backup. The rebuild changed nothing, because the database has no other copy of the correct value."
        }
    }
}

extension RebuildDifference: CustomStringConvertible {
    /// The difference as lines of text.
    public var description: String {
        var place = [app.rawValue]
        if let purchase { place.append("purchase \(purchase)") }
        if let customer { place.append("customer \(customer)") }
        let lines = changes.map { "  \($0.member): stored \($0.stored ?? "nothing"), recomputed \($0.recomputed ?? "nothing")" }
        return (["\(place.joined(separator: "  ")): \(message)"] + lines + ["  \(nextStep)"]).joined(separator: "\n")
    }
}

/// The differences of one purchase, customer or notification.
struct RebuildFindings: Sendable {
    let app: BundleID
    /// Whether the rebuild repairs differences.
    let isWriting: Bool
    private(set) var differences: [RebuildDifference] = []

    init(app: BundleID, isWriting: Bool) {
        self.app = app
        self.isWriting = isWriting
    }

    /// Adds a difference, and repairs the difference if `isWriting` is true.
    mutating func add(
        _ kind: RebuildDifference.Kind, purchase: TransactionID? = nil, customer: CustomerID? = nil, _ message: String,
        _ changes: [RebuildDifference.Change] = [], repair: () throws -> Void
    ) rethrows {
        if isWriting { try repair() }
        differences.append(
            RebuildDifference(
                app: app, kind: kind, purchase: purchase, customer: customer, message: message, changes: changes,
                resolution: isWriting ? .repaired : .repairable))
    }

    /// Adds damage that only a backup can repair.
    mutating func addDamage(
        _ kind: RebuildDifference.Kind, purchase: TransactionID? = nil, customer: CustomerID? = nil, _ message: String,
        _ changes: [RebuildDifference.Change] = [], isUntrusted: Bool = false
    ) {
        differences.append(
            RebuildDifference(
                app: app, kind: kind, purchase: purchase, customer: customer, message: message, changes: changes,
                resolution: isUntrusted ? .trust : .restore))
    }

    /// Adds the differences of other findings.
    mutating func add(_ other: RebuildFindings) { differences += other.differences }
}
