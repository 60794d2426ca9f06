package import Foundation
import FoundationExtras

/// A request to `verifyReceipt`, with its decoded receipt.
package struct ReceiptVerificationRequest: Sendable {
    /// The maximum size of the body of a request, in bytes, which is enough for a receipt with 10,000 purchases.
    package static let bodyLimit = 8 << 20

    /// The request.
    package let body: VerifyReceiptRequest
    /// The receipt.
    package let receipt: [UInt8]

    /// Whether the receipt has the format of a transaction receipt (iOS 6) instead of an app receipt.
    package var isTransactionReceipt: Bool { receipt.first == UInt8(ascii: "{") }

    /// Decodes the body of a request; nil for a body that is not such a JSON object, or whose receipt is missing or not base64.
    ///
    /// The base64 of an app receipt must not contain line breaks; the base64 of a transaction receipt may.
    package init?(json: Data) {
        guard let body = try? WireJSON.decode(VerifyReceiptRequest.self, from: json), let text = body.receiptData else { return nil }
        self.body = body
        if let receipt = Data(base64Encoded: text) {
            self.receipt = [UInt8](receipt)
            return
        }
        guard let receipt = Data(base64Encoded: text.filter { !$0.isNewline }), receipt.first == UInt8(ascii: "{") else {
            return nil
        }
        self.receipt = [UInt8](receipt)
    }
}
