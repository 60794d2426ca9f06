public import Foundation

/// Asks for a rating in the store; there is nobody to ask, so nothing happens.
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    /// Creates a controller.
    public override init() {}

    /// Does nothing.
    open class func requestReview() {}
}
