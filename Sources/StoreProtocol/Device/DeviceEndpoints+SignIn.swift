package import PurchaseModel
package import Wire

extension DeviceEndpoints {
    /// Signs an account in on a device.
    package static let signIn = Endpoint<SignInRequest, SignInReply>(.post, "/device/v1/sign-in")
}

/// A request to sign an account in on a device, for one app.
package struct SignInRequest: Codable, Hashable, Sendable {
    /// The account name.
    package var account: AccountID
    /// The account's password.
    package var password: String
    /// The identifier of the device, to which receipts are bound.
    package var device: DeviceID
    /// The app's bundle identifier.
    package var bundleID: BundleID
    /// The app's version.
    package var appVersion: String

    /// Creates a request.
    package init(account: AccountID, password: String, device: DeviceID, bundleID: BundleID, appVersion: String) {
        self.account = account
        self.password = password
        self.device = device
        self.bundleID = bundleID
        self.appVersion = appVersion
    }
}

/// The session of an account on a device.
package struct SignInReply: Codable, Hashable, Sendable {
    /// The bearer token for the account's calls of the device API.
    package var token: String
    /// The storefront of the account.
    package var storefront: Storefront

    /// Creates a reply.
    package init(token: String, storefront: Storefront) {
        self.token = token
        self.storefront = storefront
    }
}
