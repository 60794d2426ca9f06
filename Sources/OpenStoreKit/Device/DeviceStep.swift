/// A step of a device's work, at which tests simulate a power failure.
package enum DeviceStep: Hashable, Sendable {
    /// The device is about to write the journal; the value names the kind of change.
    case writing(String)
    /// The device has written the journal; the value names the kind of change.
    case written(String)
    /// The device is about to send a request to the endpoint with this path template.
    case sending(String)
    /// The device has received the response of the endpoint with this path template.
    case answered(String)
    /// The device is about to replace the file with this name.
    case replacing(String)
    /// The device has replaced the file with this name.
    case replaced(String)
}
