/// An optional method of one of Apple's protocols, which clients may call with `?` or `!`.
///
/// Optional protocol requirements exist only in Objective-C. In the module `StoreKit` on Linux, each optional method has a default
/// implementation, so that a call without `?` compiles. A property of this type with the method's name lets calls such as
/// `delegate.request?(request, didFailWithError: error)` compile, too.
public struct OptionalMethod<Owner> {
    package let owner: Owner

    /// Creates a reference to an optional method of an object.
    package init(owner: Owner) {
        self.owner = owner
    }
}

/// An object with a delegate that is notified when the object's work ends, such as an `SKRequest`.
///
/// The delegate is not a member of `SKRequest` itself, because `SKProductsRequest` has a `delegate` of another type, which Swift does not
/// allow in a subclass.
public protocol DelegateHolder: AnyObject {}
