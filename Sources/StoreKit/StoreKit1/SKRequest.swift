public import Foundation
public import OpenStoreKit
import Synchronization

/// A request to the store.
///
/// Keep a reference to the request until it has ended. The delegate is called on the device's callback queue.
open class SKRequest: NSObject, DelegateHolder, @unchecked Sendable {
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

    /// Sends the request and returns at once.
    open func start() {}

    /// Cancels the request without notifying the delegate.
    open func cancel() {
        state.withLock { state in
            state.task?.cancel()
            state.delegate = nil
        }
    }

    /// The delegate, of either protocol.
    var listener: (any SKRequestDelegate)? {
        get { state.withLock { $0.delegate }?.value }
        set {
            let listener = newValue.map { delegate in Listener<any SKRequestDelegate>(delegate) { [weak delegate] in delegate } }
            state.withLock { $0.delegate = listener }
        }
    }

    /// The delegate that is notified of the end; subclasses return their delegate.
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
    /// The delegate, which is notified of the end of the request.
    public var delegate: (any SKRequestDelegate)? {
        get { listener }
        set { listener = newValue }
    }
}
