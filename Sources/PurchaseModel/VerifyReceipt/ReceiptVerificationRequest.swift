package import Foundation

/// A request to `verifyReceipt`, with its decoded receipt.
package struct ReceiptVerificationRequest: Sendable {
    /// The maximum size of the body of a request, in bytes, which is enough for a receipt with 10,000 purchases.
    package static let bodyLimit = 8 << 20

    /// The reason why a body is not a request.
    package enum Defect: Error, Hashable {
        /// The body is not a JSON object.
        case unreadable
        /// A member has another type, or the receipt is missing or not base64.
        case malformed
    }

    /// The request.
    package let body: VerifyReceiptRequest
    /// The receipt.
    package let receipt: [UInt8]

    /// Whether the receipt has the format of a transaction receipt (iOS 6) instead of an app receipt.
    package var isTransactionReceipt: Bool { receipt.first == UInt8(ascii: "{") }

    /// Decodes the body of a request.
    ///
    /// The base64 of an app receipt must not contain line breaks; the base64 of a transaction receipt may.
    package init(json: Data) throws(Defect) {
        guard let body = try? WireJSON.decode(VerifyReceiptRequest.self, from: json) else {
            guard case .object = JSONReader.read([UInt8](json)) else { throw .unreadable }
            throw .malformed
        }
        guard let text = body.receiptData else { throw .malformed }
        self.body = body
        if let receipt = Data(base64Encoded: text) {
            self.receipt = [UInt8](receipt)
            return
        }
        guard let receipt = Data(base64Encoded: text.filter { !$0.isNewline }), receipt.first == UInt8(ascii: "{") else {
            throw .malformed
        }
        self.receipt = [UInt8](receipt)
    }
}
