import LocalAppStore
import PurchaseModel

extension TourEnvironment {
    /// Returns a script that launches the app on a phone without a purchase.
    ///
    /// No other process may use the phone's files while the script runs.
    func script(for phone: TourDevice) -> AppScript {
        AppScript(
            storeURL: storeURL,
            rootsPEM: store.rootsPEM,
            serverURL: serverURL,
            customer: customer,
            credentials: credentials,
            account: phone.account.id,
            password: phone.account.password,
            folder: AppSession.folder(of: phone, on: self)
        )
    }
}
