public import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// The signed information about the customer's download of the app.
public struct AppTransaction: Sendable {
    /// The app's identifier in the App Store (`appAppleId`); nil outside of production.
    public let appID: UInt64?
    /// The permanent identifier of the customer's download of the app.
    public let appTransactionID: String
    /// The version of the app that requested the app transaction.
    public let appVersion: String
    /// The store's identifier of ``appVersion``; nil outside of production.
    public let appVersionID: UInt64?
    /// The bundle identifier of the app.
    public let bundleID: String
    /// The environment of the download.
    public let environment: AppStore.Environment
    /// The version that the customer first downloaded.
    public let originalAppVersion: String
    /// The date on which the customer first downloaded the app.
    public let originalPurchaseDate: Date
    /// The platform on which the customer first downloaded the app.
    public let originalPlatform: AppStore.Platform
    /// The date of the preorder; nil when there was none.
    public let preorderDate: Date?
    /// The SHA-384 hash of the nonce and ``AppStore/deviceVerificationID``; empty when the signed copy is bound to no device.
    public let deviceVerification: Data
    /// The nonce of ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// The date of the signature.
    public let signedDate: Date

    let signed: SignedAppTransaction
    /// The payload without its signing date and device verification.
    private let comparablePayload: AppTransactionPayload

    /// The JSON of the signed payload.
    public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }

    /// The raw value of ``originalPlatform``.
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }

    /// The app transaction stored on the device; fetched from the store when none is stored for this version of the app.
    ///
    /// - Throws: ``StoreKitError``.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await fetch(refreshing: false) }
    }

    /// Fetches the app transaction from the store again; the user may have to sign in.
    ///
    /// - Throws: ``StoreKitError``.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        Device.active?.reportRefreshWithoutGesture()
        return try await fetch(refreshing: true)
    }

    private static func fetch(refreshing: Bool) async throws -> VerificationResult<AppTransaction> {
        guard let device = Device.active else { throw StoreKitError.noDevice }
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
    /// Returns whether two app transactions have equal payloads, regardless of signing date and device verification.
    public static func == (lhs: AppTransaction, rhs: AppTransaction) -> Bool { lhs.comparablePayload == rhs.comparablePayload }

    /// Hashes the payload without its signing date and device verification.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparablePayload) }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The JSON of the signed payload.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
