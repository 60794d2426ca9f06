public import Foundation
import Synchronization

/// A request to the store.
///
/// Keep it until it has ended.
open class SKRequest: NSObject, @unchecked Sendable {
    private struct State {
        var delegate: Listener<any SKRequestDelegate>?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    let device: Device?

    /// Creates a request to the store of the current device.
    public override init() {
        device = Device.active
    }

    /// Who hears of the end.
    ///
    /// Called on the device's callback queue.
    open var delegate: (any SKRequestDelegate)? {
        get { state.withLock { $0.delegate }?.value }
        set {
            let listener = newValue.map { Listener<any SKRequestDelegate>($0) }
            state.withLock { $0.delegate = listener }
        }
    }

    /// Sends the request and returns at once.
    open func start() {}

    /// Ends the request; nobody hears of it.
    open func cancel() {
        state.withLock { state in
            state.task?.cancel()
            state.delegate = nil
        }
    }

    func run(_ body: @escaping @Sendable (Device) async -> Void) {
        guard let device else { return tellFailure(SKError(.clientInvalid)) }
        state.withLock { $0.task = Task { await body(device) } }
    }

    /// Calls the delegate on the callback queue.
    func tell(_ body: @escaping @Sendable (any SKRequestDelegate) -> Void) {
        let call: @Sendable () -> Void = { [self] in
            if let delegate { body(delegate) }
        }
        if let device { device.callbacks.submit(call) } else { call() }
    }

    func tellFailure(_ error: any Error) {
        tell { [self] in $0.request(self, didFailWithError: error) }
    }

    func tellFinish() {
        tell { [self] in $0.requestDidFinish(self) }
    }
}

/// Who hears of the end of a request.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request has succeeded.
    func requestDidFinish(_ request: SKRequest)
    /// The request has failed.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing: hearing of the end is optional.
    public func requestDidFinish(_ request: SKRequest) {}
    /// Does nothing: hearing of failures is optional.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}
