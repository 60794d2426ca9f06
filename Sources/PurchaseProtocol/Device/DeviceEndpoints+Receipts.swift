package import Foundation
package import PurchaseModel

extension DeviceEndpoints {
    /// Issues the latest receipt; makes no transaction.
    package static let receipt = Endpoint<ReceiptRequest, ReceiptReply>(.post, "/device/v1/receipt")
    /// Issues the receipt of one transaction, as iOS 6 had them.
    package static let transactionReceipt = Endpoint<FinishRequest, ReceiptReply>(.post, "/device/v1/transaction-receipt")
    /// States that the account got the app (`AppTransaction`).
    package static let appTransaction = Endpoint<AppTransactionRequest, AppTransactionReply>(.post, "/device/v1/app-transaction")
}

/// What kind of receipt is wanted; all false, except in tests (`SKReceiptProperty…`).
package struct ReceiptRequest: Codable, Hashable, Sendable {
    /// A receipt whose validity has ended.
    package var expired: Bool
    /// A receipt that was revoked.
    package var revoked: Bool
    /// A receipt of an app that an organization bought in volume.
    package var volumePurchase: Bool
    /// The app's version on the device; nil for the one that the store knows.
    package var appVersion: String?

    /// Creates a request.
    package init(expired: Bool = false, revoked: Bool = false, volumePurchase: Bool = false, appVersion: String? = nil) {
        self.expired = expired
        self.revoked = revoked
        self.volumePurchase = volumePurchase
        self.appVersion = appVersion
    }

    /// Reads a request; what older devices do not state is false.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        expired = try container.decode(Bool.self, forKey: .expired)
        revoked = try container.decodeIfPresent(Bool.self, forKey: .revoked) ?? false
        volumePurchase = try container.decodeIfPresent(Bool.self, forKey: .volumePurchase) ?? false
        appVersion = try container.decodeIfPresent(String.self, forKey: .appVersion)
    }
}

/// The latest receipt of an account for this app and device.
package struct ReceiptReply: Codable, Hashable, Sendable {
    /// The receipt file.
    package var receipt: Data

    /// Creates a reply.
    package init(receipt: Data) {
        self.receipt = receipt
    }
}

/// Asks for the statement that an account got an app.
package struct AppTransactionRequest: Codable, Hashable, Sendable {
    /// The app's version on the device; nil for the one that the store knows.
    package var appVersion: String?

    /// Creates a request.
    package init(appVersion: String? = nil) {
        self.appVersion = appVersion
    }
}

/// That an account got an app.
package struct AppTransactionReply: Codable, Hashable, Sendable {
    /// What the store signed.
    package var appTransaction: SignedAppTransaction

    /// Creates a reply.
    package init(appTransaction: SignedAppTransaction) {
        self.appTransaction = appTransaction
    }
}
