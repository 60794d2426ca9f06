import Dispatch
import Foundation
public import PurchaseModel

#if canImport(Glibc)
    import Glibc
#endif

/// An interface that shows prompts in a terminal, and reads a line of text for each answer.
///
/// An empty line, or the end of the input, cancels a prompt. Lines are read on a separate thread, so that waiting for input does not block
/// Swift tasks. Only one prompt is shown at a time.
public struct TerminalInterface: StoreInterface {
    private let queue = DispatchQueue(label: "OpenStoreKit.terminal")
    private let read: @Sendable (_ isSecret: Bool) -> String?
    private let write: @Sendable (String) -> Void

    /// Creates an interface on standard input and standard output; passwords are not shown while they are entered.
    public init() {
        read = { isSecret in
            isSecret ? Self.withoutEcho { readLine() } : readLine()
        }
        write = { text in
            print(text, terminator: "")
            fflush(nil)
        }
    }

    /// Creates an interface that reads and writes through closures.
    ///
    /// - Parameters:
    ///   - read: Returns the next line without its line break, or nil at the end of the input. The closure may block.
    ///   - write: Shows text to the user.
    public init(read: @escaping @Sendable () -> String?, write: @escaping @Sendable (String) -> Void) {
        self.read = { _ in read() }
        self.write = write
    }

    private func ask<Answer: Sendable>(_ dialogue: @escaping @Sendable () -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: dialogue()) }
        }
    }

    /// Shows a prompt and returns the entered line, or nil if the line is empty or the input has ended.
    private func line(_ prompt: String, isSecret: Bool = false) -> String? {
        write("\(prompt) ")
        guard let line = read(isSecret), !line.isEmpty else { return nil }
        return line
    }

    /// Returns the answer to a yes-or-no question, or nil if the user gives no valid answer in three attempts.
    private func decision(_ prompt: String) -> Bool? {
        for _ in 1...3 {
            switch line("\(prompt) [yes/no]")?.lowercased() {
            case "y", "yes": return true
            case "n", "no": return false
            case nil: return nil
            default: write("Please type yes or no.\n")
            }
        }
        return nil
    }

    /// Asks for an account and its password.
    public func signIn() async -> Credentials? { await signIn(for: .purchase) }

    /// Asks for an account and its password and shows the reason.
    public func signIn(for reason: SignInReason) async -> Credentials? {
        await ask {
            guard let account = line("\(reason.text)\nAccount:"), let password = line("Password:", isSecret: true) else { return nil }
            return Credentials(account: AccountID(account), password: password)
        }
    }

    /// Asks for the password of an account that was signed in before, and shows the reason.
    public func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials? {
        await ask {
            line("\(reason.text)\nPassword of \(account):", isSecret: true).map { Credentials(account: account, password: $0) }
        }
    }

    /// Shows which account is signed in.
    public func didSignIn(as account: AccountID) async {
        await ask { write("Signed in as \(account).\n") }
    }

    /// Shows the purchase and asks for confirmation.
    public func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        await ask { decision(sheet.text) ?? false }
    }

    /// Asks whether to request a parent's approval.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool {
        await ask { decision(sheet.permissionText) ?? false }
    }

    /// Asks the user to consent to a price increase.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? {
        await ask { decision(sheet.text) }
    }

    /// Asks for an offer code.
    public func offerCode() async -> String? {
        await ask { line("Offer code:") }
    }

    /// Shows the reason why an offer code was not redeemed.
    public func showRedemptionFailure(of code: String, because reason: String) async {
        await ask { write("The code \(code) was not redeemed: \(reason)\n") }
    }

    /// Asks for the reason of a refund request.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? {
        await ask {
            let reasons = ConsumptionRequestReason.allCases
            let list = reasons.enumerated().map { "  \($0.offset + 1) \($0.element.rawValue)\n" }.joined()
            return choice("\(sheet.text)\n\(list)Number:", of: reasons)
        }
    }

    /// Shows the user's subscriptions, and asks for the subscription whose auto-renew is to be disabled or enabled.
    public func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? {
        await ask {
            let list = sheet.subscriptions.enumerated().map { index, subscription in
                "  \(index + 1) \(subscription.willAutoRenew ? "cancel" : "renew") \(subscription.productID)\n"
            }
            return choice("\(list.joined())Number:", of: sheet.subscriptions).map { subscription in
                subscription.willAutoRenew ? .disableAutoRenew(subscription.transaction) : .enableAutoRenew(subscription.transaction)
            }
        }
    }

    private func choice<Element>(_ prompt: String, of elements: [Element]) -> Element? {
        guard let number = line(prompt).flatMap({ Int($0) }), (1...max(1, elements.count)).contains(number) else { return nil }
        return elements.dropFirst(number - 1).first
    }

    /// Runs a closure that reads a line, without showing the input if it comes from a terminal.
    private static func withoutEcho(_ body: () -> String?) -> String? {
        #if canImport(Glibc)
            var settings = termios()
            guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return body() }
            let before = settings
            settings.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            defer {
                settings = before
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
                print("")
            }
        #endif
        return body()
    }
}
