/// Who signs in, on which device, in which app.
public struct SignInRequest: Codable, Hashable, Sendable {
    /// The account.
    public var account: AccountID
    /// Its password.
    public var password: String
    /// The device, to which receipts will be bound.
    public var device: DeviceID
    /// The app.
    public var bundleID: BundleID
    /// The app's version.
    public var appVersion: String

    /// Creates a request.
    public init(account: AccountID, password: String, device: DeviceID, bundleID: BundleID, appVersion: String) {
        self.account = account
        self.password = password
        self.device = device
        self.bundleID = bundleID
        self.appVersion = appVersion
    }
}
