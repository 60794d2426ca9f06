public import Foundation

/// The receipt that shows that a product was bought.
public struct ContentTicketRequest: Codable, Hashable, Sendable {
    /// The receipt file.
    public var receipt: Data

    /// Creates a request.
    public init(receipt: Data) {
        self.receipt = receipt
    }
}
