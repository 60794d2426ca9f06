/// A step at which a power failure could happen, reported to tests that simulate one.
package enum DeviceStep: Hashable, Sendable {
    /// The journal is about to be written.
    case writing(String)
    /// The journal was written.
    case written(String)
    /// A request is about to be sent.
    case sending(String)
    /// The response to a request was received.
    case answered(String)
    /// A file is about to be replaced.
    case replacing(String)
    /// A file was replaced.
    case replaced(String)
}
