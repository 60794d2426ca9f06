public import Hummingbird
public import PurchaseModel
public import ServiceLifecycle
import WireServer

extension LocalAppStore {
    /// This store as the default store of a new host; see
    /// ``StoreHost/application(hostname:port:token:page:limits:onServerRunning:addRoutes:)``.
    public func application(
        hostname: String,
        port: Int,
        token: String? = nil,
        page: String? = nil,
        limits: ConnectionLimits = .development,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        addRoutes: (Router<StoreRequestContext>) -> Void = { _ in }
    ) -> some ApplicationProtocol & Service {
        StoreHost(singleStore: self).application(
            hostname: hostname, port: port, token: token, page: page, limits: limits, onServerRunning: onServerRunning, addRoutes: addRoutes
        )
    }

    /// The background services, which renew subscriptions and send notifications between requests.
    public var services: [any Service] {
        [StoreTicker(stores: { [self] in [self] }, logger: logger)]
    }
}
