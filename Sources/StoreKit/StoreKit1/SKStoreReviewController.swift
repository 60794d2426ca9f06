public import Foundation

/// A controller that asks the user to rate the app; it does nothing on Linux, which has no rating prompt.
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    /// Creates a review controller.
    public override init() {}

    /// Does nothing, because Linux has no rating prompt.
    open class func requestReview() {}
}
