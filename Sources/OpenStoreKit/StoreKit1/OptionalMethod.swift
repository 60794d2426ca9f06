/// A method that Apple's protocol leaves optional, as clients call it with `?` or `!`.
///
/// Optional requirements exist in Objective-C alone. Here every one has an implementation that does nothing, and a property of the same
/// name lets `delegate.request?(request, didFailWithError: error)` compile as well as the call without the mark.
public struct OptionalMethod<Owner> {
    let owner: Owner
}
