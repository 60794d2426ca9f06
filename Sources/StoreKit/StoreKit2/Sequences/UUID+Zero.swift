import Foundation

extension UUID {
    /// The UUID of zeros, for StoreKit properties that are not optional while the signed data contains no UUID.
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
