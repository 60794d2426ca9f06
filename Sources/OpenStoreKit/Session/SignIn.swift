public import PurchaseModel
import Wire

/// An account and its password, as entered by a user.
///
/// Credentials are never written to disk and never printed.
public struct Credentials: Sendable {
    /// The name of the account.
    public var account: AccountID
    /// The account's password.
    public var password: String

    /// Creates credentials from an account and its password.
    public init(account: AccountID, password: String) {
        self.account = account
        self.password = password
    }
}

extension Credentials: CustomStringConvertible {
    /// The name of the account, without the password.
    public var description: String { "\(account)" }
}

/// The reason why a sign-in prompt is shown.
public enum SignInReason: String, Hashable, Sendable, CaseIterable {
    /// The user pays, or the device fetches a paid transaction.
    case purchase
    /// The user restores purchases.
    case restore
    /// The user refreshes the receipt.
    case refresh

    /// The reason for sign-in prompts in the current task.
    @TaskLocal static var current = SignInReason.purchase

    /// Runs work whose sign-in prompts show this reason.
    func run<Value: Sendable>(_ body: () async throws(PaymentFailure) -> Value) async throws(PaymentFailure) -> Value {
        let outcome: Result<Value, PaymentFailure> = await Self.$current.withValue(self) {
            do throws(PaymentFailure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The text of the sign-in prompt.
    public var text: String {
        switch self {
        case .purchase: "Sign in to buy."
        case .restore: "Sign in to restore your purchases."
        case .refresh: "Sign in to refresh your purchases."
        }
    }
}

/// Asks the user to sign in on the device; concurrent callers wait for the same sign-in.
final class SignIn {
    /// The engine that signs the account in; nil after its deallocation.
    weak var engine: PaymentEngine?
    private let session: StoreSession
    private let interface: any StoreInterface
    private var signingIn: Task<Result<Bool, WireClientError>, Never>?
    /// The credentials that the user entered while the store could not be reached, so that the user is not asked twice.
    ///
    /// The credentials are never written to disk.
    private var enteredCredentials: Credentials?

    init(session: StoreSession, interface: any StoreInterface) {
        self.session = session
        self.interface = interface
    }

    /// Asks the user to sign in if no account is signed in; returns false if the user cancels.
    ///
    /// The sign-in continues when a caller is canceled.
    func ensureSignedIn() async throws(WireClientError) -> Bool {
        guard !session.isSignedIn else { return true }
        let asking = signingIn ?? Task { [weak engine] in await engine?.askToSignIn() ?? .success(false) }
        signingIn = asking
        return try await asking.value.get()
    }

    /// Asks the user for credentials and signs in with them; returns false if the user cancels.
    func askToSignIn() async -> Result<Bool, WireClientError> {
        defer { signingIn = nil }
        if enteredCredentials == nil { enteredCredentials = await interface.signIn() }
        // An account that has signed in elsewhere meanwhile stays signed in.
        guard !session.isSignedIn else {
            enteredCredentials = nil
            return .success(true)
        }
        guard let credentials = enteredCredentials, let engine else { return .success(false) }
        do {
            try await engine.signIn(credentials)
        } catch {
            if !error.isRetryable { enteredCredentials = nil }
            return .failure(error)
        }
        enteredCredentials = nil
        await interface.didSignIn(as: credentials.account)
        return .success(true)
    }

    /// Forgets the credentials that the user has entered, because an account has signed in or out.
    func ownerChanged() {
        enteredCredentials = nil
    }

    /// Cancels the sign-in, because the engine has ended.
    func end() {
        signingIn?.cancel()
    }
}
