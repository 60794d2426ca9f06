public import Foundation
import PurchaseModel

extension Transaction {
    /// The type of a revocation.
    public struct RevocationType: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: String

        /// Creates a type from the store's raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The store refunded the whole price.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// The store refunded a part of the price.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// Family Sharing access was revoked.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
    }

    /// The type of the revocation; nil when the transaction was not revoked.
    public var revocationType: RevocationType? { revocationTypeStringRepresentation.map { RevocationType(rawValue: $0) } }
    /// The raw value of ``revocationType``.
    public var revocationTypeStringRepresentation: String? { comparablePayload.revocationType }
    /// The refunded part of the price, in percent from 0 to 100; nil when nothing was refunded.
    public var revocationPercentage: Decimal? { comparablePayload.revocationPercentage.map { Decimal(milliunits: Int64($0)) } }
}
