/// One of the moments at which a device could lose its power, told as it goes by; for tests that take it away.
package enum DeviceStep: Hashable, Sendable {
    /// The journal is about to be written.
    case writing(String)
    /// The journal was written.
    case written(String)
    /// A call is about to be sent.
    case sending(String)
    /// The answer of a call has come.
    case answered(String)
    /// A file is about to be replaced.
    case replacing(String)
    /// A file was replaced.
    case replaced(String)
}
