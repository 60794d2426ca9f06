/// Something that an app does and its users will not like.
public enum DeviceReport: Hashable, Sendable {
    /// Purchases are restored, and no gesture of the user asked for it; a sign-in may appear out of nothing.
    case restoreWithoutGesture
    /// The receipt is refreshed, and no gesture of the user asked for it; a sign-in may appear out of nothing.
    case refreshWithoutGesture
    /// A sign-in was not shown, because so many were in a row without a success; it counts as cancelled.
    case promptWithheld(limit: Int)
}

extension DeviceReport: CustomStringConvertible {
    /// What happened, and what to do about it.
    public var description: String {
        switch self {
        case .restoreWithoutGesture:
            "Purchases are restored without a gesture of the user. Restore from a button, in Device.withUserGesture."
        case .refreshWithoutGesture:
            "The receipt is refreshed without a gesture of the user. Refresh from a button, in Device.withUserGesture."
        case .promptWithheld(let limit): "A sign-in was withheld after \(limit) in a row; it counts as cancelled."
        }
    }
}
