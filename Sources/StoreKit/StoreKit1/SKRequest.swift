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
    }

    private let state = Mutex(State())
    let device: Device?

    /// Creates a request to the store of the current `Device`.
    public override init() {
        device = Device.active
    }

    /// Starts the request; does nothing in this base class.
    open func start() {}

    /// Cancels the request; the delegate is not notified.
    open func cancel() {
        state.withLock { state in
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

    func run(_ body: @escaping @Sendable (Device) async -> Void) {
        guard let device else { return notifyDidFail(PaymentFailure.noDevice.error) }
        state.withLock { $0.task = Task { await body(device) } }
    }

    /// Calls the delegate on the callback queue.
    func notifyDelegate(_ body: @escaping @Sendable (any SKRequestDelegate) -> Void) {
        let call: @Sendable () -> Void = { [self] in
            if let notifiedDelegate { _ = Listener<any SKRequestDelegate>(notifiedDelegate) { notifiedDelegate }.call(body) }
        }
        (device?.callbacks ?? .withoutDevice).submit(call)
    }

    func notifyDidFail(_ error: any Error) {
        notifyDelegate { [self] in $0.request(self, didFailWithError: error) }
    }

    func notifyDidFinish() {
        notifyDelegate { [self] in $0.requestDidFinish(self) }
    }
}

extension DelegateHolder where Self: SKRequest {
    /// The delegate, which is notified when the request ends.
    public var delegate: (any SKRequestDelegate)? {
        get { listener }
        set { listener = newValue }
    }
}
