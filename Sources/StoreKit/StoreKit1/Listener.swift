import Dispatch
import OpenStoreKit

/// A weak reference to an observer or delegate, which is called on the callback queue only.
///
/// Sending the reference between threads is safe because only the callback queue calls the object. StoreKit's protocols do not
/// require `Sendable`.
struct Listener<Target>: @unchecked Sendable {
    private weak var object: AnyObject?
    private let identity: ObjectIdentifier
    private let reference: () -> Target?

    /// Refers to an object.
    ///
    /// - Parameter reference: Returns the object until it is deallocated. The closure keeps the static type, because a
    ///   conformance that is isolated to the main actor can't be looked up elsewhere.
    init(_ target: Target, _ reference: @escaping () -> Target?) {
        let object = target as AnyObject
        self.object = object
        identity = ObjectIdentifier(object)
        self.reference = reference
    }

    /// The object; nil after its deallocation.
    var value: Target? { reference() }

    /// Calls the object on the current thread, or on the main queue if its conformance is isolated to the main actor.
    ///
    /// A dynamic cast off the main actor fails for such a conformance, and thereby identifies it.
    ///
    /// - Returns: The result of the call; nil after the object's deallocation.
    func call<Outcome>(_ body: (Target) -> Outcome) -> Outcome? {
        guard let value, let object else { return nil }
        guard !(object is Target) else { return body(value) }
        let device = Device.current
        return withoutActuallyEscaping(body) { body in
            // This thread waits for the call and runs nothing meanwhile.
            nonisolated(unsafe) let call = { body(value) }
            return DispatchQueue.main.sync { Device.$current.withValue(device, operation: call) }
        }
    }

    /// Whether another listener refers to the same object.
    func isSame(as other: Listener) -> Bool { identity == other.identity }

    /// Whether another listener refers to the same object, or this listener's object was deallocated.
    func isStale(orSame other: Listener) -> Bool {
        object == nil || isSame(as: other)
    }
}
