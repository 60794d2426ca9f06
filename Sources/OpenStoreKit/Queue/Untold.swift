/// What the app is to be told, and the matter to be remembered when it has been.
struct Untold<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What it is told.
    let value: Value
    /// Which matter that is.
    let matter: Matter
}
