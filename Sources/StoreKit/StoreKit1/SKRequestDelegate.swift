public import Foundation
public import OpenStoreKit

/// A delegate that is notified when a request to the store ends; both methods are optional.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// Tells the delegate that the request has succeeded.
    func requestDidFinish(_ request: SKRequest)
    /// Tells the delegate that the request has failed.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing, because observing success is optional.
    public func requestDidFinish(_ request: SKRequest) {}
    /// Does nothing, because observing failures is optional.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

extension SKRequestDelegate {
    /// Supports calls such as `delegate.requestDidFinish?(request)`; never nil.
    @_disfavoredOverload
    public var requestDidFinish: ((SKRequest) -> Void)? { { self.requestDidFinish($0) } }
    /// Supports calls such as `delegate.request?(request, didFailWithError: error)`; never nil.
    @_disfavoredOverload
    public var request: OptionalMethod<any SKRequestDelegate>? { OptionalMethod(owner: self) }
}

extension OptionalMethod where Owner == any SKRequestDelegate {
    /// Notifies the delegate that the request has failed.
    public func callAsFunction(_ request: SKRequest, didFailWithError error: any Error) {
        owner.request(request, didFailWithError: error)
    }
}
