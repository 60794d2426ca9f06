import Dispatch
import OpenStoreKit

/// A weak reference to an app's observer or delegate, which is called on the device's callback queue only.
///
/// StoreKit's protocols do not require `Sendable`. Sending the reference between threads is safe nevertheless, because only the callback
/// queue calls the object.
struct Listener<Target>: @unchecked Sendable {
    private weak var object: AnyObject?
    private let identity: ObjectIdentifier
    private let reference: () -> Target?

    /// Creates a weak reference to an observer or delegate.
    ///
    /// - Parameter reference: Returns the object until it is deallocated, and nil afterwards. The closure keeps the object's static type,
    ///   because code outside of the main actor can't look up a conformance that is isolated to the main actor.
    init(_ target: Target, _ reference: @escaping () -> Target?) {
        let object = target as AnyObject
        self.object = object
        identity = ObjectIdentifier(object)
        self.reference = reference
    }

    /// The observer or delegate; nil after its deallocation.
    var value: Target? { reference() }

    /// Calls the object on the current thread, or on the main queue if the object's conformance is isolated to the main actor.
    ///
    /// Outside of the main actor, a dynamic cast to a conformance that is isolated to the main actor fails. The method uses the failed cast
    /// to detect the isolation.
    ///
    /// The app can remove the object on the main queue while the call waits for that queue, so `isWanted` is evaluated on the thread of the
    /// call, just before it.
    ///
    /// - Parameter isWanted: Returns whether the app still wants the call.
    /// - Returns: The result of the call; nil after the object's deallocation, and for an unwanted call.
    func call<Outcome>(if isWanted: () -> Bool, _ body: (Target) -> Outcome) -> Outcome? {
        guard isWanted(), let value = reference(), let object else { return nil }
        guard !(object is Target) else { return body(value) }
        let device = Device.current
        return withoutActuallyEscaping(body) { body in
            withoutActuallyEscaping(isWanted) { isWanted in
                // `sync` blocks the thread of the callback queue until the call returns, so two threads never use the closure at the same
                // time. The callback queue has a thread of its own, so neither the caller nor a Swift task waits.
                nonisolated(unsafe) let call = { isWanted() ? body(value) : nil }
                return DispatchQueue.main.sync { Device.$current.withValue(device, operation: call) }
            }
        }
    }

    /// Returns whether another listener refers to the same object.
    func isSame(as other: Listener) -> Bool { identity == other.identity }

    /// Returns whether another listener refers to the same object, or whether the object of this listener was deallocated.
    func isStale(orSame other: Listener) -> Bool {
        object == nil || isSame(as: other)
    }
}
