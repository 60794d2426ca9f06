/// A report that the app may cause sign-in prompts without a user gesture, or causes them too often.
public enum DeviceReport: Hashable, Sendable {
    /// The app restores purchases without a user gesture; a sign-in prompt may appear unexpectedly.
    case restoreWithoutGesture
    /// The app refreshes the receipt without a user gesture; a sign-in prompt may appear unexpectedly.
    case refreshWithoutGesture
    /// A sign-in prompt was not shown, because the limit of prompts in a row was reached; the sign-in counts as canceled.
    case promptWithheld(limit: Int)
}

extension DeviceReport: CustomStringConvertible {
    /// A description of the behavior and its remedy.
    public var description: String {
        switch self {
        case .restoreWithoutGesture:
            "The app restores purchases without a user gesture. Restore from a button, in Device.withUserGesture."
        case .refreshWithoutGesture:
            "The app refreshes the receipt without a user gesture. Refresh from a button, in Device.withUserGesture."
        case .promptWithheld(let limit):
            "The limit of \(limit) sign-in prompts in a row is reached; the sign-in counts as canceled. Prompt after a user gesture only."
        }
    }
}
