/// The control API of a local store, for people and tests; the App Store has no equivalent.
///
/// A call that changes the store responds after one attempt to deliver the notifications that the change caused.
package enum ControlEndpoints {}
