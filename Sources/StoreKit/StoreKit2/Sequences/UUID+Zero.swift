import Foundation

extension UUID {
    /// What stands for a UUID that is not stated, where StoreKit's own types have no place for nothing.
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
