/// An optional method of one of Apple's protocols, which clients may call with `?` or `!`.
///
/// Optional requirements exist only in Objective-C. Here, every optional method has a default implementation. A property with the same
/// name lets calls such as `delegate.request?(request, didFailWithError: error)` compile, in addition to calls without the mark.
public struct OptionalMethod<Owner> {
    package let owner: Owner

    /// Refers to the method of an object.
    package init(owner: Owner) {
        self.owner = owner
    }
}

/// An object with a delegate that is notified of the end of the object's work.
///
/// The delegate is not a member of `SKRequest` itself, because `SKProductsRequest` has a `delegate` of another type, which Swift does
/// not allow in a subclass.
public protocol DelegateHolder: AnyObject {}
