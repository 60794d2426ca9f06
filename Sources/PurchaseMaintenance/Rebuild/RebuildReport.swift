public import PurchaseModel

/// A pass of a rebuild; the cases are in the order of the passes.
public enum RebuildPass: String, Codable, CaseIterable, Hashable, Sendable {
    /// Verifies each stored notification, and checks that the notification's signed event is stored.
    case notifications
    /// Verifies each signed event, and recomputes the purchases.
    case purchases
    /// Checks that each row of the customers' purchase lists has a matching purchase.
    case customerPurchases = "customer-purchases"
    /// Replays each ledger, and compares its postings and its balance.
    case ledgers
}

/// An event that a running rebuild reports.
public enum RebuildEvent: Sendable {
    /// An interrupted rebuild continues; the associated value is its report so far.
    case continued(RebuildReport)
    /// The number of completed rows of all passes, and the total number of rows.
    case progress(completed: Int64, total: Int64, pass: RebuildPass)
    /// A difference was found.
    case difference(RebuildDifference)
}

/// The result of a rebuild.
public struct RebuildReport: Codable, Hashable, Sendable {
    /// The bundle ID of the app.
    public let app: BundleID
    /// The date when the rebuild began, before interruptions.
    public let startedAt: Timestamp
    /// The number of compared rows, by the raw value of the ``RebuildPass``.
    public internal(set) var compared: [String: Int64] = [:]  // reason: the keys are names of passes.
    /// The number of differences.
    public internal(set) var differences: Int64 = 0
    /// The number of differences that were repaired.
    public internal(set) var repaired: Int64 = 0
    /// The number of differences that only a backup can repair.
    public internal(set) var unrepairable: Int64 = 0
    /// The number of signed originals whose root the configuration does not trust.
    public internal(set) var untrusted: Int64 = 0

    /// Whether the database now agrees with its signed originals and recorded decisions.
    public var isConsistent: Bool { differences == repaired }

    /// The result as one line of text.
    public var summary: String {
        let counts = RebuildPass.allCases.map { "\($0.rawValue) \(compared[$0.rawValue, default: 0])" }.joined(separator: ", ")
        var parts = ["differences: \(differences)"]
        if repaired > 0 { parts.append("repaired: \(repaired)") }
        if untrusted > 0 { parts.append("under wrong roots: \(untrusted) (check extra-roots-file and environment)") }
        if unrepairable > 0 { parts.append("to restore from a backup: \(unrepairable)") }
        return "\(parts.joined(separator: ", ")); compared: \(counts)"
    }
}

/// The reason why a rebuild or a policy replay fails.
public enum RebuildError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The storage of the server is not a SQL database of this package.
    case unsupportedStorage
    /// A purchase changed during each attempt to verify the purchase.
    case busy(TransactionID)
    /// A policy replay can't compare a purchase with damaged records.
    case unreadable(TransactionID)

    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .unsupportedStorage: "Only a database of SQLite or PostgreSQL can be rebuilt."
        case .busy(let purchase): "The purchase \(purchase) changed at each attempt. Run the command again to continue with this purchase."
        case .unreadable(let purchase): "The records of the purchase \(purchase) are damaged. Run tillroll-server rebuild --verify first."
        }
    }
}
