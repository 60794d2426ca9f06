public import PurchaseModel
public import StoreProtocol
import Wire

extension StoreClient {
    /// Creates an account; an account with the same properties is left unchanged.
    ///
    /// - Parameters:
    ///   - account: The account name, with which the account signs in on a device.
    ///   - password: The password for signing in, which the store keeps as plain text.
    ///   - askToBuyEnabled: Whether a parent must approve each purchase (``approve(_:)``).
    /// - Throws: `refused` with the code `account.taken` if the account exists with another password or another value of Ask to Buy.
    public func createAccount(
        _ account: AccountID, password: String = "password", askToBuyEnabled: Bool = false
    ) async throws(StoreControlError) {
        let request = CreateAccountRequest(account: account, password: password, askToBuyEnabled: askToBuyEnabled)
        _ = try await call(ControlEndpoints.createAccount, request)
    }

    /// Lists all accounts, in the order of their creation and without their activity.
    ///
    /// - Returns: The accounts.
    public func accounts() async throws(StoreControlError) -> [AccountDescription] {
        try await call(ControlEndpoints.accounts).accounts
    }

    /// Lists a page of accounts with their activity, newest activity first.
    ///
    /// - Parameter query: The filter and the size of the page, and the token of the preceding page.
    /// - Returns: The page, with the number of all accounts and the token of the next page.
    public func accounts(_ query: AccountQuery) async throws(StoreControlError) -> AccountsReply {
        try await call(ControlEndpoints.accounts, query: query.parameters)
    }

    /// Reads an account with its subscriptions, its spending and the date of its newest event.
    ///
    /// - Parameter account: The account name.
    /// - Returns: The account.
    /// - Throws: `refused` with the code `account.unknown` for an account that does not exist.
    public func account(_ account: AccountID) async throws(StoreControlError) -> AccountDescription {
        try await call(ControlEndpoints.account, ["account": account.rawValue])
    }

    /// Changes an account.
    ///
    /// ```swift
    /// try await store.changeAccount("jane") { $0.hasValidPaymentMethod = false }
    /// ```
    ///
    /// - Parameters:
    ///   - account: The account name.
    ///   - change: A closure that sets the properties to change; properties that are nil stay unchanged.
    /// - Returns: The changed account.
    /// - Throws: `refused` with the code `account.unknown` for an account that does not exist.
    @discardableResult
    public func changeAccount(
        _ account: AccountID, _ change: (inout AccountRequest) -> Void
    ) async throws(StoreControlError) -> AccountDescription {
        var request = AccountRequest()
        change(&request)
        return try await call(ControlEndpoints.setAccount, request, ["account": account.rawValue])
    }

    /// Removes an account with its purchases and its sign-ins.
    ///
    /// - Parameter account: The account name.
    /// - Throws: `refused` with the code `account.shared` while a family member has a purchase that the account shared, and with
    ///   `account.unknown` for an account that does not exist.
    public func removeAccount(_ account: AccountID) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.removeAccount, ["account": account.rawValue])
    }

    /// Makes an account's payment method valid or invalid; an invalid payment method declines renewals.
    ///
    /// - Parameters:
    ///   - isValid: Whether the payment method is valid.
    ///   - account: The account name.
    /// - Throws: `refused` with the code `account.unknown` for an account that does not exist.
    public func setPaymentMethod(isValid: Bool, of account: AccountID) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.setPaymentMethod, PaymentMethodRequest(isValid: isValid), ["account": account.rawValue])
    }

    /// Lists the charges and refunds of an account, oldest first.
    ///
    /// - Parameter account: The account name.
    /// - Returns: The charges; the amounts of refunds are negative.
    /// - Throws: `refused` with the code `account.unknown` for an account that does not exist.
    public func charges(of account: AccountID) async throws(StoreControlError) -> [Charge] {
        try await call(ControlEndpoints.charges, ["account": account.rawValue]).charges
    }

    /// Lists the devices on which accounts signed in and the devices with restricted purchases, at most 1,000.
    ///
    /// - Returns: The devices, the device with the newest sign-in first.
    public func devices() async throws(StoreControlError) -> [DeviceDescription] {
        try await call(ControlEndpoints.devices).devices
    }

    /// Restricts purchases on a device, as parental controls do, or allows them.
    ///
    /// - Parameters:
    ///   - isRestricted: Whether purchases are restricted.
    ///   - device: The identifier of the device, a UUID.
    public func setPurchases(isRestricted: Bool, on device: DeviceID) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.setDevice, DeviceRestrictionRequest(isRestricted: isRestricted), ["device": device.rawValue])
    }
}
