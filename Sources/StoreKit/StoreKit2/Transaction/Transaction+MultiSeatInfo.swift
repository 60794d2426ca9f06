public import Foundation
import PurchaseModel

extension Transaction {
    /// The seats of a transaction (iOS 27.3 beta).
    public struct MultiSeatInfo: Hashable, Sendable {
        /// The side that invites the members of the group: the App Store or the developer (iOS 27.3 beta).
        public struct InvitationManagement: RawRepresentable, Hashable, Sendable {
            /// The App Store's text for the side, such as `DEVELOPER` (iOS 27.3 beta).
            public let rawValue: String

            /// Creates a value from the App Store's text, such as `DEVELOPER` (iOS 27.3 beta).
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The App Store invites the members, and each member has a transaction (iOS 27.3 beta).
            public static let apple = InvitationManagement(rawValue: PurchaseModel.InvitationManagement.apple.rawValue)
            /// The developer invites the members, who have no transactions (iOS 27.3 beta).
            public static let developer = InvitationManagement(rawValue: PurchaseModel.InvitationManagement.developer.rawValue)
        }

        /// A number of seats with the same price (iOS 27.3 beta).
        public struct PriceTier: Hashable, Sendable {
            /// The price of one seat, in the currency of the transaction (iOS 27.3 beta).
            public let price: Decimal
            /// The number of seats (iOS 27.3 beta).
            public let quantity: Int

            /// Creates a tier from a signed payload; returns nil if the payload lacks the price or the number.
            init?(_ tier: MultiSeatPriceTier) {
                guard let milliunits = tier.price, let quantity = tier.quantity else { return nil }
                price = Decimal(milliunits: milliunits)
                self.quantity = quantity
            }
        }

        /// The side that invites the members of the group: the App Store or the developer (iOS 27.3 beta).
        public let invitationManagement: InvitationManagement
        /// The numbers of seats by price, in any order (iOS 27.3 beta).
        ///
        /// The price of a purchase is the sum of all tiers, because ``Transaction/price`` is the rounded average price of one seat.
        public let priceTiers: [PriceTier]
        /// The number of refunded seats (iOS 27.3 beta); nil without a refund of seats, and for members other than the purchaser.
        public let revokedSeatQuantity: Int?

        init(_ info: TransactionMultiSeatInfo) {
            invitationManagement = InvitationManagement(rawValue: info.invitationManagement ?? "")
            priceTiers = (info.priceTiers ?? []).compactMap { PriceTier($0) }
            revokedSeatQuantity = info.revokedSeatQuantity
        }
    }

    /// The reason why several transactions represent one period of a subscription (iOS 27.3 beta).
    public struct AdditionalTransactionReason: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the reason, such as `SEAT_ADDITION` (iOS 27.3 beta).
        public let rawValue: String

        /// Creates a reason from the App Store's text, such as `SEAT_ADDITION` (iOS 27.3 beta).
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer added seats during the period (iOS 27.3 beta).
        public static let seatAddition = AdditionalTransactionReason(
            rawValue: PurchaseModel.AdditionalTransactionReason.seatAddition.rawValue)
    }

    /// The seats of the transaction (iOS 27.3 beta); nil for a purchase without seats.
    ///
    /// The transaction of each member of the group repeats the purchaser's seats.
    public var multiSeatInfo: MultiSeatInfo? { comparablePayload.multiSeatInfo.map { MultiSeatInfo($0) } }
    /// The reason why several transactions represent the period (iOS 27.3 beta); nil if the transaction alone represents the period.
    public var additionalTransactionReason: AdditionalTransactionReason? {
        comparablePayload.additionalTransactionReason.map { AdditionalTransactionReason(rawValue: $0) }
    }
}
