package import PurchaseModel

extension DeviceEndpoints {
    /// Signs an account in on a device.
    package static let signIn = Endpoint<SignInRequest, SignInReply>(.post, "/device/v1/sign-in")
}

/// Who signs in, on which device, in which app.
package struct SignInRequest: Codable, Hashable, Sendable {
    /// The account.
    package var account: AccountID
    /// Its password.
    package var password: String
    /// The device, to which receipts will be bound.
    package var device: DeviceID
    /// The app.
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
    /// What further calls carry as bearer token.
    package var token: String
    /// The country's store of the account.
    package var storefront: Storefront

    /// Creates a reply.
    package init(token: String, storefront: Storefront) {
        self.token = token
        self.storefront = storefront
    }
}
