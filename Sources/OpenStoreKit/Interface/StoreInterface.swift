/// What the system shows its user while something is bought: sheets and prompts that no app can draw itself.
///
/// A person, a script or a default may stand behind it. Every question may take as long as it likes, and may be cancelled.
public protocol StoreInterface: Sendable {
    /// Asks for an account and its password; nil when the user cancels.
    func signIn() async -> Credentials?

    /// Shows what is about to be bought and asks for confirmation; false when the user cancels.
    func confirm(_ sheet: ConfirmationSheet) async -> Bool
}
