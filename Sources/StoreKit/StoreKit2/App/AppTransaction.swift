public import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// What the store signed about how the customer came by the app.
public struct AppTransaction: Sendable {
    /// The app's number in the App Store; nil outside of production.
    public let appID: UInt64?
    /// One for each customer and app, the same for ever.
    public let appTransactionID: String
    /// The version of the app that asked.
    public let appVersion: String
    /// The store's number of that version; nil outside of production.
    public let appVersionID: UInt64?
    /// The app.
    public let bundleID: String
    /// Where the app was got.
    public let environment: AppStore.Environment
    /// The version that the customer first got.
    public let originalAppVersion: String
    /// When the customer first got the app.
    public let originalPurchaseDate: Date
    /// The platform that the customer first got it on.
    public let originalPlatform: AppStore.Platform
    /// When the customer ordered it before it was there; nil otherwise.
    public let preorderDate: Date?
    /// Binds this copy to a device: SHA-384 over nonce and ``AppStore/deviceVerificationID``; empty in a copy bound to none.
    public let deviceVerification: Data
    /// The nonce of ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// The date of the signature.
    public let signedDate: Date

    let signed: SignedAppTransaction
    /// What it says, whenever and for whichever device this copy was signed.
    private let statement: AppTransactionPayload

    /// The statement as JSON, as it was signed.
    public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }

    /// ``originalPlatform`` in the store's word.
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }

    /// The app transaction as the device knows it; asks the store the first time.
    ///
    /// - Throws: ``StoreKitError``.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await fetch(refreshing: false) }
    }

    /// Asks the store anew; the user may have to sign in.
    ///
    /// - Throws: ``StoreKitError``.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        Device.active?.reportUnaskedRefresh()
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
        var statement = payload
        statement.receiptCreationDate = Timestamp(milliseconds: 0)
        statement.deviceVerification = nil
        statement.deviceVerificationNonce = nil
        self.statement = statement
    }
}

extension AppTransaction: Hashable {
    /// Statements are equal when they say the same, whenever and for whichever device each copy was signed.
    public static func == (lhs: AppTransaction, rhs: AppTransaction) -> Bool { lhs.statement == rhs.statement }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(statement) }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The statement as JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
