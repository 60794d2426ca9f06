import Dispatch
import OpenStoreKit

/// A weak reference to an observer or delegate, which may be carried anywhere but is called by the callback queue only.
///
/// That one rule is what makes it safe to send; StoreKit's protocols ask nothing of their conformers.
struct Listener<Listening>: @unchecked Sendable {
    private weak var object: AnyObject?
    private let identity: ObjectIdentifier
    private let reference: () -> Listening?

    /// Refers to an object.
    ///
    /// - Parameter reference: The object as long as it is there. Held by its type, because a conformance that belongs to the main actor
    ///   can't be asked for elsewhere.
    init(_ listening: Listening, _ reference: @escaping () -> Listening?) {
        let object = listening as AnyObject
        self.object = object
        identity = ObjectIdentifier(object)
        self.reference = reference
    }

    /// The object; nil when it is gone.
    var value: Listening? { reference() }

    /// Calls the object, which is nothing when it is gone: here, or on the main queue when its conformance belongs to the main actor.
    ///
    /// Such a conformance does not exist elsewhere, which is how it is told from others.
    func call<Outcome>(_ body: (Listening) -> Outcome) -> Outcome? {
        guard let value, let object else { return nil }
        guard !(object is Listening) else { return body(value) }
        let device = Device.current
        return withoutActuallyEscaping(body) { body in
            // This thread waits, so nothing of it runs meanwhile.
            nonisolated(unsafe) let call = { body(value) }
            return DispatchQueue.main.sync { Device.$current.withValue(device, operation: call) }
        }
    }

    /// Whether it refers to the same object.
    func isSame(as other: Listener) -> Bool { identity == other.identity }

    /// Whether it refers to the same object, or to none any more.
    func isStale(orSame other: Listener) -> Bool {
        object == nil || isSame(as: other)
    }
}
