public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import NIOCore
import NIOSSL
public import ServiceLifecycle
public import WireServer

extension StoreHost {
    /// Creates a TLS server for all stores of the host, which has a certificate for any host name that a client requests.
    ///
    /// The default store's certificate authority issues the certificates, so clients must trust that authority. Clients with fixed App
    /// Store URLs can therefore use the host.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on.
    ///   - port: The port; 0 for any free port.
    ///   - token: The token that clients need for the control API, the host's stores and the console.
    ///   - page: The path to which browsers that request `/` are redirected; nil for no redirect.
    ///   - limits: The maximum number of connections, and the time-outs for their requests and responses.
    ///   - onServerRunning: A closure that receives the port as soon as the server listens.
    ///   - addRoutes: A closure that adds routes, as for ``application(hostname:port:token:page:limits:onServerRunning:addRoutes:)``.
    /// - Throws: An error if the default store was created by an earlier version whose certificate authority has no key for server
    ///   certificates.
    public func tlsApplication(
        hostname: String,
        port: Int,
        token: String? = nil,
        page: String? = nil,
        limits: ConnectionLimits = .development,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        addRoutes: (Router<StoreRequestContext>) -> Void = { _ in }
    ) throws -> some ApplicationProtocol & Service {
        let certificates = ServerCertificates(issuers: defaultStore.context.signer.issuers)
        let defaultIdentity = try certificates.defaultIdentity
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: defaultIdentity.chain, privateKey: defaultIdentity.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.sslContextCallback = { values, promise in
            promise.completeWith(Result { try certificates.override(for: values.serverHostname) })
        }
        let gate = ConnectionGate(limits, logger: logger)
        return gate.application(
            of: responder(ControlAccess(token: token, hostname: hostname), page: page, gate: gate, addRoutes), hostname: hostname,
            port: port,
            serverName: "LocalAppStore",
            server: try .tls(.http1(configuration: Self.channels(gate)), tlsConfiguration: configuration), onServerRunning: onServerRunning)
    }
}
