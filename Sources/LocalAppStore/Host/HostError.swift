import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of an operation with the stores of a host.
enum HostError: StoreRefusal {
    /// The host has no store with the name in the request's path.
    case storeUnknown
    /// The store whose paths have no prefix can't be removed.
    case storeIsDefault
    /// The host already has a store with the requested name.
    case storeTaken
    /// The host has reached the maximum number of stores.
    case tooManyStores
    /// The host has no folder for persistent stores.
    case persistenceUnavailable

    var status: HTTPResponse.Status {
        switch self {
        case .storeUnknown: .notFound
        case .storeTaken, .storeIsDefault: .conflict
        case .tooManyStores: .serviceUnavailable
        case .persistenceUnavailable: .badRequest
        }
    }

    var wireError: WireError {
        switch self {
        case .storeUnknown:
            WireError(code: "store.unknown", message: "The host has no store with this name; create the store with: tillroll store create")
        case .storeIsDefault:
            WireError(
                code: "store.default",
                message: "The host's first store can't be removed. Stop the host, or create stores for tests with: tillroll store create")
        case .storeTaken:
            WireError(code: "store.taken", message: "A store with this name exists; choose another name, or omit the name.")
        case .tooManyStores:
            WireError(code: "store.too-many", message: "The host has the maximum of \(StoreHost.storeLimit) stores; remove a store first.")
        case .persistenceUnavailable:
            WireError(
                code: "store.not-persistent",
                message: "The host has no folder for persistent stores; start it with: tillroll store up --folder FOLDER")
        }
    }
}
