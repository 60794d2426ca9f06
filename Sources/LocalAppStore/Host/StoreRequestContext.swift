public import Hummingbird
import Logging
import NIOCore
import PurchaseModel

/// A request together with the store that it is for.
public struct StoreRequestContext: RequestContext {
    /// What Hummingbird keeps with a request.
    public var coreContext: CoreRequestContextStorage
    /// The store that the request's address names.
    ///
    /// It is set before the request is routed; only addresses of the host itself are answered without.
    var addressed: LocalAppStore?
    /// The environment that the address stands for: the App Store has hosts of their own for sandbox and production.
    var environment = AppEnvironment.sandbox
    private let channel: (any Channel)?
    private let inProcess: InProcessConnection?

    /// Creates the context of a request that names no store yet.
    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        inProcess = nil
    }

    /// Creates the context of a request that came by no connection.
    init(_ connection: InProcessConnection, logger: Logger) {
        coreContext = CoreRequestContextStorage(source: InProcessSource(logger: logger))
        channel = nil
        inProcess = connection
    }

    /// Cuts the connection off instead of an answer.
    func cutOff() async {
        inProcess?.close()
        try? await channel?.close()
    }

    /// The store that the request is for, or ``StoreError/storeUnknown``.
    var store: LocalAppStore {
        get throws(StoreError) {
            guard let addressed else { throw .storeUnknown }
            return addressed
        }
    }

    /// What that store knows and does.
    var ledger: StoreLedger {
        get throws(StoreError) { try store.ledger }
    }
}
