public import Foundation

/// Requests a rating in the store; without a rating prompt on this platform, nothing happens.
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    /// Creates a controller.
    public override init() {}

    /// Does nothing.
    open class func requestReview() {}
}
