public import Hummingbird
import NIOCore
import PurchaseModel
public import ServiceLifecycle
import WireServer

extension StoreHost {
    /// The whole HTTP surface, as a service that listens until it is shut down.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on; `127.0.0.1` for this machine only.
    ///   - port: 0 for any free one.
    ///   - onServerRunning: Is told the port when the host listens.
    ///   - addRoutes: Mounts further routes, such as the console's; they are there for each store.
    public func application(
        hostname: String,
        port: Int,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        addRoutes: (Router<StoreRequestContext>) -> Void = { _ in }
    ) -> some ApplicationProtocol & Service {
        let router = Router(context: StoreRequestContext.self)
        router.add(middleware: WireErrorMiddleware())
        router.add(middleware: ServerAPIErrorMiddleware())
        router.add(middleware: CatchUpMiddleware())
        HostController(host: self).addRoutes(to: router)
        DeviceController().addRoutes(to: router)
        ControlController().addRoutes(to: router)
        EventController().addRoutes(to: router)
        VerifyReceiptController().addRoutes(to: router)
        ServerAPIController().addRoutes(to: router)
        addRoutes(router)
        return Application(
            responder: StoreResponder(host: self, router: router.buildResponder()),
            configuration: ApplicationConfiguration(address: .hostname(hostname, port: port), serverName: "LocalAppStore"),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }
}
