public import Foundation
import OpenStoreKit

/// The interactions of an app with the App Store other than purchases.
public enum AppStore: Sendable {
    /// Whether the user may make payments; false when purchases are restricted, or without a device.
    public static var canMakePayments: Bool { Device.active?.canMakePayments ?? false }

    /// The identifier of this device for the device verification of signed data; nil without a device.
    public static var deviceVerificationID: UUID? { Device.active?.verificationID }

    /// Fetches the customer's transactions and subscriptions again; asks the user to sign in when no account is signed in.
    ///
    /// StoreKit keeps them up to date. Call this method only when the user requests it, in `Device.withUserGesture`.
    ///
    /// - Throws: ``StoreKitError``.
    public static func sync() async throws {
        guard let device = Device.active else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.appStoreSync)
        do throws(PaymentFailure) {
            try await device.synchronize()
        } catch { throw StoreKitError(error) }
    }
}

extension AppStore {
    /// The environment of a purchase.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: String

        /// Creates an environment from the store's raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The production environment.
        public static let production = Environment(rawValue: "Production")
        /// The sandbox environment.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// StoreKit testing in Xcode.
        public static let xcode = Environment(rawValue: "Xcode")
    }

    /// The platform on which the customer first downloaded the app.
    public struct Platform: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: String

        /// Creates a platform from the store's raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// iPhone and iPad.
        public static let iOS = Platform(rawValue: "iOS")
        /// Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")
    }
}
