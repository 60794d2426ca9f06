public import Hummingbird
public import ServiceLifecycle
public import WireServer

extension LocalAppStore {
    /// Creates an HTTP server whose only store is this store, at the address `/`.
    ///
    /// The parameters are those of ``StoreHost/application(hostname:port:token:page:limits:onServerRunning:addRoutes:)``.
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

    /// The services that renew subscriptions and send notifications at their due times, even if the store receives no request.
    ///
    /// Run the services in a service group with the result of ``application(hostname:port:token:page:limits:onServerRunning:addRoutes:)``.
    public var services: [any Service] {
        [StoreTicker(work: StoreWorkQueue([self]), logger: logger)]
    }
}
