import LocalAppStore
import PurchaseModel
import PurchaseProtocol

extension Stage {
    /// A script for an app on a phone; no other process may use the phone's state while the script runs.
    func run(on phone: StagePhone) -> AppRun {
        AppRun(
            storeURL: storeURL,
            rootsPEM: store.rootsPEM,
            serverURL: serverURL,
            customer: customer,
            account: phone.account.request.account,
            password: phone.account.request.password,
            folder: Phone.folder(of: phone, on: self)
        )
    }
}
