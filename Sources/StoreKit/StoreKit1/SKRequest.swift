public import Foundation
public import OpenStoreKit
import Synchronization

/// A request to the store; the base class of product and receipt requests.
///
/// Keep a reference to the request until the request has ended. The delegate is called on a serial queue of the `Device`.
open class SKRequest: NSObject, DelegateHolder, @unchecked Sendable {
    private struct State {
        var delegate: Listener<any SKRequestDelegate>?
        var task: Task<Void, Never>?
        var cancellations = 0
    }

    /// One start of a request, of which the delegate is notified until the request is canceled.
    struct Run: Sendable {
        let request: SKRequest
        /// The number of cancellations of the request before the start.
        fileprivate let cancellations: Int

        func notifyDidFail(_ error: any Error) {
            notifyDelegate { $0.request(request, didFailWithError: error) }
        }

        func notifyDidFinish() {
            notifyDelegate { $0.requestDidFinish(request) }
        }

        /// Calls the delegate on the callback queue, unless the request is canceled before the call begins.
        func notifyDelegate(_ body: @escaping @Sendable (any SKRequestDelegate) -> Void) {
            (request.device?.callbacks ?? .withoutDevice).submit {
                guard let delegate = request.notifiedDelegate else { return }
                let listener = Listener<any SKRequestDelegate>(delegate) { delegate }
                _ = listener.call(if: { request.state.withLock { $0.cancellations == cancellations } }, body)
            }
        }
    }

    private let state = Mutex(State())
    let device: Device?

    /// Creates a request to the store of the current `Device`.
    public override init() {
        device = Device.active
    }

    /// Starts the request; does nothing in this base class.
    open func start() {}

    /// Cancels the request; no call to the delegate begins afterwards.
    ///
    /// A call that already runs on another thread continues.
    open func cancel() {
        state.withLock { state in
            state.cancellations += 1
            state.task?.cancel()
            state.delegate = nil
        }
    }

    /// The delegate, which conforms to ``SKRequestDelegate`` or to a protocol that inherits from it.
    var listener: (any SKRequestDelegate)? {
        get { state.withLock { $0.delegate }?.value }
        set {
            let listener = newValue.map { delegate in Listener<any SKRequestDelegate>(delegate) { [weak delegate] in delegate } }
            state.withLock { $0.delegate = listener }
        }
    }

    /// The delegate that is notified when the request ends; subclasses override the property.
    var notifiedDelegate: (any SKRequestDelegate)? { listener }

    /// Runs the request as a task; without a device, the request fails.
    func run(_ body: @escaping @Sendable (Device, Run) async -> Void) {
        let run = Run(request: self, cancellations: state.withLock { $0.cancellations })
        guard let device else { return run.notifyDidFail(PaymentFailure.noDevice.error) }
        state.withLock { $0.task = Task { await body(device, run) } }
    }
}

extension DelegateHolder where Self: SKRequest {
    /// The delegate, which is notified when the request ends.
    public var delegate: (any SKRequestDelegate)? {
        get { listener }
        set { listener = newValue }
    }
}
