/// A method that Apple's protocol leaves optional, as clients call it with `?` or `!`.
///
/// Optional requirements exist in Objective-C alone. Here every optional method has an implementation that does nothing. A property of
/// the same name lets `delegate.request?(request, didFailWithError: error)` compile as well as the call without the mark.
public struct OptionalMethod<Owner> {
    package let owner: Owner

    /// Refers to the method of an object.
    package init(owner: Owner) {
        self.owner = owner
    }
}

/// An object with a delegate that is notified of the object's end.
///
/// The delegate is no member of StoreKit's `SKRequest` itself, because `SKProductsRequest` has a delegate of another type under the same
/// name, which Objective-C allows and Swift does not.
public protocol DelegateHolder: AnyObject {}
