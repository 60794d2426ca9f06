import ArgumentParser
import PurchaseModel

/// The account of a command: an argument, or `--account` for commands whose argument is something else.
struct AccountTarget: ParsableArguments {
    @Argument(help: "The account.") var name: String?
    @Option(name: .customLong("account"), help: "The account, instead of the argument.") var option: String?

    func validate() throws {
        guard (name == nil) != (option == nil) else { throw ValidationError("Name the account once, such as jane@example.com.") }
    }

    /// The account that the argument or the option names.
    var account: AccountID { AccountID(name ?? option ?? "") }
}
