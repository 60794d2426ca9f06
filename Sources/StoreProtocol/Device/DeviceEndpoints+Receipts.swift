package import Foundation
package import PurchaseModel
package import Wire

extension DeviceEndpoints {
    /// Issues the latest receipt, without a new transaction.
    package static let receipt = Endpoint<ReceiptRequest, ReceiptReply>(.post, "/device/v1/receipt")
    /// Issues the receipt of one transaction, in the format of iOS 6.
    package static let transactionReceipt = Endpoint<TransactionReceiptRequest, ReceiptReply>(.post, "/device/v1/transaction-receipt")
    /// Issues the signed app transaction of the account (`AppTransaction`).
    package static let appTransaction = Endpoint<AppTransactionRequest, AppTransactionReply>(.post, "/device/v1/app-transaction")
}

/// A request for the latest receipt, for which tests can request special properties (`SKReceiptProperty…`).
package struct ReceiptRequest: Codable, Hashable, Sendable {
    /// Whether the store issues an expired receipt.
    package var expired: Bool
    /// Whether the store issues a revoked receipt.
    package var revoked: Bool
    /// Whether the store issues the receipt of a Volume Purchase Program app.
    package var volumePurchase: Bool
    /// The app version on the device; nil for the version that the device sent last.
    package var appVersion: String?

    /// Creates a request.
    package init(expired: Bool = false, revoked: Bool = false, volumePurchase: Bool = false, appVersion: String? = nil) {
        self.expired = expired
        self.revoked = revoked
        self.volumePurchase = volumePurchase
        self.appVersion = appVersion
    }

    /// Decodes a request; `revoked` and `volumePurchase` are false if the JSON object does not contain them.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        expired = try container.decode(Bool.self, forKey: .expired)
        revoked = try container.decodeIfPresent(Bool.self, forKey: .revoked) ?? false
        volumePurchase = try container.decodeIfPresent(Bool.self, forKey: .volumePurchase) ?? false
        appVersion = try container.decodeIfPresent(String.self, forKey: .appVersion)
    }
}

/// The receipt that the store issued for a device.
package struct ReceiptReply: Codable, Hashable, Sendable {
    /// The receipt, as the app reads it from its receipt file.
    package var receipt: Data

    /// Creates a reply.
    package init(receipt: Data) {
        self.receipt = receipt
    }
}

/// A request for the receipt of one transaction.
package struct TransactionReceiptRequest: Codable, Hashable, Sendable {
    /// The identifier of the transaction.
    package var transactionID: TransactionID

    /// Creates a request.
    package init(transactionID: TransactionID) {
        self.transactionID = transactionID
    }
}

/// A request for an account's app transaction.
package struct AppTransactionRequest: Codable, Hashable, Sendable {
    /// The app version on the device; nil for the version that the device sent last.
    package var appVersion: String?

    /// Creates a request.
    package init(appVersion: String? = nil) {
        self.appVersion = appVersion
    }
}

/// The app transaction of an account.
package struct AppTransactionReply: Codable, Hashable, Sendable {
    /// The app transaction as a JWS from the store.
    package var signedAppTransaction: SignedAppTransaction

    /// Creates a reply.
    package init(signedAppTransaction: SignedAppTransaction) {
        self.signedAppTransaction = signedAppTransaction
    }
}
