public import Foundation

/// The latest receipt of an account for this app and device.
public struct ReceiptReply: Codable, Hashable, Sendable {
    /// The receipt file.
    public var receipt: Data

    /// Creates a reply.
    public init(receipt: Data) {
        self.receipt = receipt
    }
}
