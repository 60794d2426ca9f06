/// What people and tests do to a local store: the side of it that the App Store does not have.
///
/// Calls that change something are answered after one attempt to deliver the notifications that they caused.
package enum ControlEndpoints {}
