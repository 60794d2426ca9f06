public import Foundation
import OpenStoreKit

/// A namespace for interactions of an app with the App Store other than purchases.
public enum AppStore: Sendable {
    /// Whether the user may make payments; false when purchases are restricted, or when no `Device` is configured.
    public static var canMakePayments: Bool { Device.active?.canMakePayments ?? false }

    /// The identifier to which the App Store binds signed data for this device; nil when no `Device` is configured.
    public static var deviceVerificationID: UUID? { Device.active?.verificationID }

    /// The age rating of the app; always nil, because the local store has no age ratings.
    public static var ageRatingCode: Int? {
        get async { nil }
    }

    /// Updates the receipt, the transactions and the subscription statuses from the store, after a sign-in if no account is signed in.
    ///
    /// StoreKit updates transactions and statuses without this method. Call it only when the user requests it, in `Device.withUserGesture`.
    ///
    /// - Throws: ``StoreKitError`` if the user cancels the sign-in, the store can't be reached, or no `Device` is configured.
    public static func sync() async throws {
        guard let device = Device.active else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.appStoreSync)
        do throws(PaymentFailure) {
            try await device.synchronize()
        } catch { throw StoreKitError(error) }
    }
}

extension AppStore {
    /// The App Store environment in which a purchase is made, such as the sandbox.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the environment, such as `Sandbox`.
        public let rawValue: String

        /// Creates an environment from the App Store's text, such as `Sandbox`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The production environment.
        public static let production = Environment(rawValue: "Production")
        /// The sandbox environment.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// The environment of StoreKit Testing in Xcode.
        public static let xcode = Environment(rawValue: "Xcode")
    }

    /// The platform on which the customer first downloaded the app.
    public struct Platform: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the platform, such as `iOS`.
        public let rawValue: String

        /// Creates a platform from the App Store's text, such as `iOS`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The platform of iPhone and iPad.
        public static let iOS = Platform(rawValue: "iOS")
        /// The platform of Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// The platform of Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// The platform of Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")
        /// The device management of an organization, which acquired the app for the customer.
        public static var managed: Platform { Platform(rawValue: "MANAGED") }
    }
}
