import Synchronization

/// A user whose answers are written down beforehand, and who remembers what was shown.
///
/// When the script has run out, the user confirms and signs in as usual.
public final class ScriptedInterface: StoreInterface {
    private struct State {
        var confirmations: [Bool] = []
        var cancelsSignIn = false
        var sheets: [ConfirmationSheet] = []
        var signIns = 0
    }

    private let credentials: Credentials?
    private let state = Mutex(State())

    /// Creates a user with the credentials that sign-in prompts are answered with.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = credentials
    }

    /// Decides the next confirmations, in order.
    public func script(confirmations: [Bool]) {
        state.withLock { $0.confirmations += confirmations }
    }

    /// Decides whether sign-in prompts are cancelled from now on.
    public func script(cancelsSignIn: Bool) {
        state.withLock { $0.cancelsSignIn = cancelsSignIn }
    }

    /// The sheets shown so far.
    public var sheets: [ConfirmationSheet] { state.withLock { $0.sheets } }

    /// How often a sign-in was asked for.
    public var signInPrompts: Int { state.withLock { $0.signIns } }

    /// Signs in, unless the script says to cancel.
    public func signIn() async -> Credentials? {
        state.withLock { state in
            state.signIns += 1
            return state.cancelsSignIn ? nil : credentials
        }
    }

    /// Answers as the script says.
    public func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        state.withLock { state in
            state.sheets.append(sheet)
            return state.confirmations.isEmpty ? true : state.confirmations.removeFirst()
        }
    }
}
