import Foundation
package import PurchaseModel

/// The content of a transaction receipt that a ``TransactionReceiptIssuer`` issues.
package struct TransactionReceiptContent: Sendable {
    /// The transaction, from which the receipt takes app, product, identifiers, dates and quantity.
    package var transaction: TransactionPayload
    /// The app's version.
    package var appVersion: String
    /// The identifier of the device that made the purchase.
    package var device: DeviceID
    /// The product's identifier in the App Store.
    package var itemID: Int64 = 0

    /// Creates the content of a transaction receipt.
    package init(transaction: TransactionPayload, appVersion: String, device: DeviceID) {
        self.transaction = transaction
        self.appVersion = appVersion
        self.device = device
    }

    /// The property list `purchase-info`, which the signature of the receipt covers.
    package var purchaseInfo: [UInt8] {
        var members: [(key: String, value: String)] = [
            ("original-purchase-date-pst", Self.losAngeles(transaction.originalPurchaseDate)),
            ("purchase-date-ms", String(transaction.purchaseDate.milliseconds)),
            ("unique-identifier", device.rawValue.replacing("-", with: "")),
            ("original-transaction-id", transaction.originalTransactionId.rawValue),
        ]
        if let expires = transaction.expiresDate {
            members += [
                ("expires-date", String(expires.milliseconds)),
                ("expires-date-formatted", Self.gmt(expires)),
                ("expires-date-formatted-pst", Self.losAngeles(expires)),
            ]
        }
        if let webOrderLineItemID = transaction.webOrderLineItemId {
            members.append(("web-order-line-item-id", webOrderLineItemID))
        }
        members += [
            ("bvrs", appVersion),
            ("transaction-id", transaction.transactionId.rawValue),
            ("quantity", String(transaction.quantity)),
            ("original-purchase-date-ms", String(transaction.originalPurchaseDate.milliseconds)),
            ("unique-vendor-identifier", device.rawValue.uppercased()),
            ("item-id", String(itemID)),
            ("product-id", transaction.productId.rawValue),
            ("purchase-date", Self.gmt(transaction.purchaseDate)),
            ("original-purchase-date", Self.gmt(transaction.originalPurchaseDate)),
            ("purchase-date-pst", Self.losAngeles(transaction.purchaseDate)),
            ("bid", transaction.bundleId.rawValue),
        ]
        return PropertyList.encode(members)
    }

    private static func gmt(_ date: Timestamp) -> String {
        "\(text(date, in: .gmt)) Etc/GMT"
    }

    private static func losAngeles(_ date: Timestamp) -> String {
        // The names of these members contain "pst", but the App Store's values follow daylight saving time.
        "\(text(date, in: TimeZone(identifier: "America/Los_Angeles") ?? .gmt)) America/Los_Angeles"
    }

    private static func text(_ date: Timestamp, in timeZone: TimeZone) -> String {
        date.date.formatted(
            Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day().dateSeparator(.dash)
                .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        )
    }
}
