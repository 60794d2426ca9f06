public import Hummingbird
import NIOCore
import PurchaseModel
public import ServiceLifecycle
import WireServer

extension LocalAppStore {
    /// The whole HTTP surface, as a service that listens until it is shut down.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on; `127.0.0.1` for this machine only.
    ///   - port: 0 for any free one.
    ///   - onServerRunning: Is told the port when the store listens.
    ///   - addRoutes: Mounts further routes, such as the console's.
    public func application(
        hostname: String,
        port: Int,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        addRoutes: (Router<BasicRequestContext>) -> Void = { _ in }
    ) -> some ApplicationProtocol & Service {
        let router = router()
        addRoutes(router)
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(hostname, port: port), serverName: "LocalAppStore"),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: WireErrorMiddleware())
        router.add(middleware: CatchUpMiddleware(ledger: ledger))
        DeviceController(ledger: ledger).addRoutes(to: router)
        ControlController(ledger: ledger, notifier: notifier).addRoutes(to: router)
        for environment in [AppEnvironment.production, .sandbox] {
            VerifyReceiptController(environment: environment, ledger: ledger, roots: roots, sharedSecret: sharedSecret)
                .addRoutes(to: router)
        }
        let page = frontPage
        router.get("/") { _, _ in page }
        return router
    }

    private var frontPage: String {
        let device = [
            DeviceEndpoints.signIn.template, DeviceEndpoints.products.template, DeviceEndpoints.purchase.template,
            DeviceEndpoints.unfinished.template, DeviceEndpoints.finish.template, DeviceEndpoints.restore.template,
            DeviceEndpoints.receipt.template,
        ]
        let control = [
            ControlEndpoints.openAccount.template, ControlEndpoints.charges.template, ControlEndpoints.card.template,
            ControlEndpoints.approvals.template, ControlEndpoints.decide.template, ControlEndpoints.clock.template,
            ControlEndpoints.advance.template, ControlEndpoints.refund.template, ControlEndpoints.notifications.template,
        ]
        return """
            Local App Store for \(ledger.signer.bundleID): sells for tests, charges nobody.

            For developers' servers (POST):
              /production/verifyReceipt
              /sandbox/verifyReceipt
            For devices (POST):
              \(device.joined(separator: "\n  "))
            For people and tests:
              \(control.joined(separator: "\n  "))

            """
    }
}
