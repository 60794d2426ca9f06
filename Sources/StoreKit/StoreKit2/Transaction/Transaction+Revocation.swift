public import Foundation
import PurchaseModel

extension Transaction {
    /// The way in which a transaction was revoked.
    public struct RevocationType: RawRepresentable, Hashable, Sendable {
        /// The store's word for it.
        public let rawValue: String

        /// Creates a way from the store's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// All of the price was paid back.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// A part of the price was paid back.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// The family does not share it any more.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
    }

    /// The way in which the transaction was revoked; nil when it was not revoked.
    public var revocationType: RevocationType? { revocationTypeStringRepresentation.map { RevocationType(rawValue: $0) } }
    /// ``revocationType`` in the store's word.
    public var revocationTypeStringRepresentation: String? { statement.revocationType }
    /// The part of the price that was paid back, in percent from 0 to 100; nil when nothing was.
    public var revocationPercentage: Decimal? { statement.revocationPercentage.map { Decimal(thousandths: Int64($0)) } }
}
