import Foundation

extension UUID {
    /// The placeholder for an absent UUID in a StoreKit property that is not optional.
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
