/// A behavior of the app that users dislike.
public enum DeviceReport: Hashable, Sendable {
    /// The app restores purchases without a user gesture; a sign-in prompt may appear unexpectedly.
    case restoreWithoutGesture
    /// The app refreshes the receipt without a user gesture; a sign-in prompt may appear unexpectedly.
    case refreshWithoutGesture
    /// A sign-in prompt was not shown, because the limit of prompts in a row without a success was reached; the sign-in counts as
    /// canceled.
    case promptWithheld(limit: Int)
}

extension DeviceReport: CustomStringConvertible {
    /// A description of the behavior and its remedy.
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
