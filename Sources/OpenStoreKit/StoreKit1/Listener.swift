/// A weak reference to an observer or delegate, which may be carried anywhere but is called on the callback queue only.
///
/// That one rule is what makes it safe to send; StoreKit's protocols ask nothing of their conformers.
struct Listener<Listening>: @unchecked Sendable {
    private weak var object: AnyObject?
    private let identity: ObjectIdentifier

    init(_ listening: Listening) {
        let object = listening as AnyObject
        self.object = object
        identity = ObjectIdentifier(object)
    }

    /// The object; nil when it is gone.
    var value: Listening? { object as? Listening }

    /// Whether it refers to the same object.
    func isSame(as other: Listener) -> Bool { identity == other.identity }

    /// Whether it refers to the same object, or to none any more.
    func isStale(orSame other: Listener) -> Bool {
        object == nil || isSame(as: other)
    }
}
