public import Foundation
import OpenStoreKit

/// What an app does with the store besides buying.
public enum AppStore: Sendable {
    /// Whether the user may pay: false when purchases are restricted, and without a device.
    public static var canMakePayments: Bool { Device.active?.canMakePayments ?? false }

    /// The number of this device that goes into the device verification of signed data; nil without a device.
    public static var deviceVerificationID: UUID? { Device.active?.verificationID }

    /// Fetches the customer's transactions and subscriptions again; asks the user to sign in when no account is signed in.
    ///
    /// They are up to date anyway; call it only when the user misses something and asks for it, in `Device.withUserGesture`.
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
    /// Where a purchase was made.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The store's word for it.
        public let rawValue: String

        /// Creates an environment from the store's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Real money.
        public static let production = Environment(rawValue: "Production")
        /// A test store.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// StoreKit testing in Xcode.
        public static let xcode = Environment(rawValue: "Xcode")
    }

    /// The platform on which an app was first got.
    public struct Platform: RawRepresentable, Hashable, Sendable {
        /// The store's word for it.
        public let rawValue: String

        /// Creates a platform from the store's word.
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
