import Hummingbird
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes of the control API and of the device API about accounts, devices and sign-ins.
struct AccountController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(DeviceEndpoints.signIn) { body, _, context in
            RequestNotes.current?.account = body.account
            return try await context.services.sessions.signIn(body)
        }
        router.mount(ControlEndpoints.createAccount) { body, _, context in
            try await context.services.accounts.createAccount(body)
            return Empty()
        }
        router.mount(ControlEndpoints.accounts) { _, request, context in
            guard let query = try AccountQuery(request) else { return try await context.services.accounts.accounts() }
            return try await context.services.accountLists.page(query)
        }
        router.mount(ControlEndpoints.account) { _, _, context in
            try await context.services.accountLists.account(AccountID(try context.parameter("account")))
        }
        router.mount(ControlEndpoints.charges) { _, _, context in
            try await context.services.accounts.charges(of: AccountID(try context.parameter("account")))
        }
        router.mount(ControlEndpoints.removeAccount) { _, _, context in
            try await context.services.accounts.removeAccount(AccountID(try context.parameter("account")))
            return Empty()
        }
        router.mount(ControlEndpoints.devices) { _, _, context in
            try await context.services.devices.devices()
        }
        router.mount(ControlEndpoints.setDevice) { body, _, context in
            let device = DeviceID(try context.parameter("device"))
            try await context.services.devices.setRestricted(body.isRestricted, device: device)
            return Empty()
        }
        router.deliveringNotifications
            .mount(ControlEndpoints.setAccount) { body, _, context in
                try await context.services.accounts.setAccount(AccountID(try context.parameter("account")), body)
            }
            .mount(ControlEndpoints.setPaymentMethod) { body, _, context in
                let account = AccountID(try context.parameter("account"))
                try await context.services.accounts.setPaymentMethod(of: account, isValid: body.isValid)
                return Empty()
            }
    }
}
