public import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// The signed information about the customer's purchase or download of the app.
public struct AppTransaction: Sendable {
    /// The identifier of the app in the App Store (`appAppleId`); nil outside of the production environment.
    public let appID: UInt64?
    /// The identifier of the customer's download of the app, which never changes.
    public let appTransactionID: String
    /// The version of the app that requested the app transaction.
    public let appVersion: String
    /// The App Store's identifier of ``appVersion``; nil outside of the production environment.
    public let appVersionID: UInt64?
    /// The bundle identifier of the app.
    public let bundleID: String
    /// The App Store environment from which the customer downloaded the app.
    public let environment: AppStore.Environment
    /// The version of the app that the customer first downloaded.
    public let originalAppVersion: String
    /// The date on which the customer first downloaded the app.
    public let originalPurchaseDate: Date
    /// The platform on which the customer first downloaded the app.
    public let originalPlatform: AppStore.Platform
    /// The date on which the customer preordered the app; nil when the customer did not preorder it.
    public let preorderDate: Date?
    /// The SHA-384 hash of ``deviceVerificationNonce`` and ``AppStore/deviceVerificationID``; empty for data not bound to a device.
    public let deviceVerification: Data
    /// The UUID that is hashed in ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// The date on which the App Store signed the app transaction.
    public let signedDate: Date

    let signed: SignedAppTransaction
    /// The signed payload without signing date and device verification, for equality and hashing.
    let comparablePayload: AppTransactionPayload

    /// The signed payload as JSON.
    public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }

    /// The raw value of ``originalPlatform``, such as `iOS`.
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }

    /// The app transaction, fetched from the store unless the device has stored one for this version of the app.
    ///
    /// - Throws: ``StoreKitError`` if no app transaction is stored and the store can't be reached, or if no `Device` is configured.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await fetch(refreshing: false, on: Device.active) }
    }

    /// A sequence of the app transactions for this version of the app, which contains the app transaction of the account.
    ///
    /// The sequence is empty if ``shared`` throws an error.
    public static var all: AppTransactions {
        let device = Device.active
        return AppTransactions(
            ElementSource { [weak device] in
                guard let result = try? await fetch(refreshing: false, on: device) else { return [] }
                return [result]
            }
        )
    }

    /// Fetches the app transaction from the store again, after a sign-in if necessary.
    ///
    /// - Throws: ``StoreKitError`` if the user cancels the sign-in, the store can't be reached, or no `Device` is configured.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        Device.active?.reportRefreshWithoutGesture()
        return try await fetch(refreshing: true, on: Device.active)
    }

    private static func fetch(refreshing: Bool, on device: Device?) async throws -> VerificationResult<AppTransaction> {
        guard let device else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.appTransaction)
        let signed: SignedAppTransaction
        do throws(PaymentFailure) {
            signed = try await device.appTransaction(refreshing: refreshing)
        } catch { throw StoreKitError(error) }
        guard let result: VerificationResult<AppTransaction> = await device.result(signed) else { throw StoreKitError.unknown }
        return result
    }
}

extension AppTransaction: SignedValue {
    init?(_ payload: AppTransactionPayload, signed: SignedAppTransaction, origin: Origin) {
        appID = payload.appAppleId.flatMap { UInt64(exactly: $0) }
        appTransactionID = payload.appTransactionId ?? ""
        appVersion = payload.applicationVersion ?? ""
        appVersionID = payload.versionExternalIdentifier.flatMap { UInt64(exactly: $0) }
        bundleID = payload.bundleId.rawValue
        environment = AppStore.Environment(rawValue: payload.receiptType)
        originalAppVersion = payload.originalApplicationVersion ?? ""
        originalPurchaseDate = (payload.originalPurchaseDate ?? payload.receiptCreationDate).date
        originalPlatform = payload.originalPlatform.map { AppStore.Platform(rawValue: $0) } ?? .iOS
        preorderDate = payload.preorderDate?.date
        deviceVerification = payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        deviceVerificationNonce = payload.deviceVerificationNonce.flatMap { UUID(uuidString: $0) } ?? .zero
        signedDate = payload.receiptCreationDate.date
        self.signed = signed
        var comparablePayload = payload
        comparablePayload.receiptCreationDate = Timestamp(milliseconds: 0)
        comparablePayload.deviceVerification = nil
        comparablePayload.deviceVerificationNonce = nil
        self.comparablePayload = comparablePayload
    }
}

extension AppTransaction: Hashable {
    /// Returns whether two app transactions have equal payloads, apart from signing date and device verification.
    public static func == (lhs: AppTransaction, rhs: AppTransaction) -> Bool { lhs.comparablePayload == rhs.comparablePayload }

    /// Hashes the signed payload without signing date and device verification.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparablePayload) }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The signed payload as JSON text.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
