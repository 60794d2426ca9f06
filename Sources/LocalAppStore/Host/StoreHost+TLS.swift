public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import NIOCore
import NIOSSL
public import PurchaseModel
public import ServiceLifecycle
import WireServer

extension StoreHost {
    /// The same HTTP surface over TLS, for any host name: a client whose address is fixed gets a certificate for the name it asks for.
    ///
    /// The certificates come from the default store's authority, which is the one to trust.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on.
    ///   - port: 0 for any free one.
    ///   - token: What the control API, the host's stores and the console want to be shown.
    ///   - page: Where browsers that ask for `/` are sent; nil for nowhere.
    ///   - limits: How long clients may take, and how much of the store they may hold.
    ///   - onServerRunning: Is told the port when the host listens.
    ///   - addRoutes: Mounts further routes, as for ``application(hostname:port:token:page:limits:onServerRunning:addRoutes:)``.
    /// - Throws: When the default store's authority, one of an earlier version, has no key for certificates.
    public func tlsApplication(
        hostname: String,
        port: Int,
        token: String? = nil,
        page: String? = nil,
        limits: ConnectionLimits = .development,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        addRoutes: (Router<StoreRequestContext>) -> Void = { _ in }
    ) throws -> some ApplicationProtocol & Service {
        let certificates = ServerCertificates(issuers: standard.ledger.signer.issuers)
        let own = try certificates.own
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: own.chain, privateKey: own.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.sslContextCallback = { values, promise in
            promise.completeWith(Result { try certificates.override(for: values.serverHostname) })
        }
        let gate = ConnectionGate(limits, logger: logger)
        return Application(
            responder: responder(ControlAccess(token: token, hostname: hostname), page: page, gate: gate, addRoutes),
            server: try .tls(.http1(configuration: Self.channels(gate)), tlsConfiguration: configuration),
            configuration: ApplicationConfiguration(
                address: .hostname(hostname, port: port), serverName: "LocalAppStore", availableConnectionsDelegate: gate.maximum),
            onServerRunning: { channel in
                await gate.watch(channel)
                await onServerRunning(channel.localAddress?.port ?? port)
            },
            logger: logger
        )
    }
}
