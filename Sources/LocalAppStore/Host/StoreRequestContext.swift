public import Hummingbird
import Logging
import NIOCore
import PurchaseModel

/// A request's context, with the store that the request addresses.
public struct StoreRequestContext: RequestContext {
    /// Hummingbird's storage for a request.
    public var coreContext: CoreRequestContextStorage
    /// The store that the request's path names.
    ///
    /// The responder sets the value before routing; only routes of the host itself respond without a store.
    var requestedStore: LocalAppStore?
    /// The environment that the address selects, as the App Store's separate host names for sandbox and production do.
    var environment = AppEnvironment.sandbox
    private let channel: (any Channel)?
    private let inProcess: InProcessConnection?

    /// Creates the context of a request before its store is known.
    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        inProcess = nil
    }

    /// Creates the context of an in-process request, which has no connection.
    init(_ connection: InProcessConnection, logger: Logger) {
        coreContext = CoreRequestContextStorage(source: InProcessSource(logger: logger))
        channel = nil
        inProcess = connection
    }

    /// Closes the connection instead of sending a response.
    func closeConnection() async {
        inProcess?.close()
        try? await channel?.close()
    }

    /// The addressed store, or ``StoreError/storeUnknown``.
    var store: LocalAppStore {
        get throws(StoreError) {
            guard let requestedStore else { throw .storeUnknown }
            return requestedStore
        }
    }

    /// The ledger of the addressed store.
    var ledger: StoreLedger {
        get throws(StoreError) { try store.ledger }
    }
}
