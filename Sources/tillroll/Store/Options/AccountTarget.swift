import ArgumentParser
import PurchaseModel

/// Whose purchases are meant: an argument, or `--account` as with the commands that take something else first.
struct AccountTarget: ParsableArguments {
    @Argument(help: "The account.") var name: String?
    @Option(name: .customLong("account"), help: "The account, instead of the argument.") var option: String?

    func validate() throws {
        guard (name == nil) != (option == nil) else { throw ValidationError("Name the account once, such as jane@example.com.") }
    }

    /// The account.
    var account: AccountID { AccountID(name ?? option ?? "") }
}
