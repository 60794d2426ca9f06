public import Foundation
import PurchaseModel

extension AppTransaction {
    /// The store in which the customer acquired the app.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the store, such as `CONSUMER`.
        public let rawValue: String

        /// Creates a store type from the App Store's text, such as `CONSUMER`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The App Store.
        public static let consumer = StoreType(rawValue: AppStoreType.consumer.rawValue)
        /// The volume purchasing of an educational organization.
        public static let education = StoreType(rawValue: AppStoreType.education.rawValue)
        /// The volume purchasing of a company.
        public static let enterprise = StoreType(rawValue: AppStoreType.enterprise.rawValue)
    }

    /// The store in which the customer acquired the app; the App Store when the signed data does not contain the store.
    public var storeType: StoreType { StoreType(rawValue: storeTypeStringRepresentation) }
    /// The raw value of ``storeType``, such as `CONSUMER`.
    public var storeTypeStringRepresentation: String { comparablePayload.storeType ?? AppStoreType.consumer.rawValue }
    /// The date on which the store revoked the customer's acquisition of the app; nil for an acquisition that was not revoked.
    public var revocationDate: Date? { comparablePayload.appRevocationDate?.date }
}

/// An option of the sheet in which the user enters an offer code; no public members exist.
public struct RedeemOption: Hashable, Sendable {}
