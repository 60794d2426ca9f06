public import Foundation
public import OpenStoreKit

/// A delegate that is notified of the end of a request; both methods are optional.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request has succeeded.
    func requestDidFinish(_ request: SKRequest)
    /// The request has failed.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing; handling success is optional.
    public func requestDidFinish(_ request: SKRequest) {}
    /// Does nothing; handling failures is optional.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

extension SKRequestDelegate {
    /// The method, for calls with `?`; never nil.
    @_disfavoredOverload
    public var requestDidFinish: ((SKRequest) -> Void)? { { self.requestDidFinish($0) } }
    /// The method, for calls with `?`; never nil.
    @_disfavoredOverload
    public var request: OptionalMethod<any SKRequestDelegate>? { OptionalMethod(owner: self) }
}

extension OptionalMethod where Owner == any SKRequestDelegate {
    /// Notifies the delegate of a failed request.
    public func callAsFunction(_ request: SKRequest, didFailWithError error: any Error) {
        owner.request(request, didFailWithError: error)
    }
}
