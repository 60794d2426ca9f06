public import Hummingbird
import Logging
import NIOCore
import PurchaseModel

/// The context of a request, with the store and the environment that the request addresses.
public struct StoreRequestContext: RequestContext {
    /// The storage in which Hummingbird keeps its own data about the request.
    public var coreContext: CoreRequestContextStorage
    /// The store that the request addresses; nil if the host has no store with the name in the path.
    ///
    /// The responder sets the value before routing. Routes that concern only the host also respond if the value is nil.
    var requestedStore: LocalAppStore?
    /// The environment that the request's path prefix or host name selects, as the App Store has separate hosts for sandbox and production.
    var environment = AppEnvironment.sandbox
    /// The prefix of the request's path that names the environment; empty without one.
    var environmentPrefix = ""
    private let channel: (any Channel)?
    private let inProcess: InProcessConnection?

    /// Creates the context of an HTTP request; the responder then sets its store and environment.
    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        inProcess = nil
    }

    /// Creates the context of a request that arrives in-process and not over HTTP.
    init(_ connection: InProcessConnection, logger: Logger) {
        coreContext = CoreRequestContextStorage(source: InProcessSource(logger: logger))
        channel = nil
        inProcess = connection
    }

    /// Closes the client's connection without sending a response.
    func closeConnection() async {
        inProcess?.close()
        try? await channel?.close()
    }

    /// The store that the request addresses.
    ///
    /// - Throws: ``HostError/storeUnknown`` if the host has no store with the name in the request's path.
    var store: LocalAppStore {
        get throws(HostError) {
            guard let requestedStore else { throw .storeUnknown }
            return requestedStore
        }
    }

    /// The services of the store that the request addresses.
    ///
    /// - Throws: ``HostError/storeUnknown`` if the host has no store with the name in the request's path.
    var services: StoreServices {
        get throws(HostError) { try store.storeServices }
    }
}
