/// What a host of stores offers at its own address, whatever stores it has.
///
/// Everything else that a store answers has `/stores/NAME` in front of its path, and nothing for the default store.
public enum HostEndpoints {
    /// Every store.
    public static let stores = Endpoint<Empty, StoresReply>(.get, "/stores")
    /// Makes a store; the body may also be a `.storekit` file as it is.
    public static let makeStore = Endpoint<NewStoreRequest, StoreDescription>(.post, "/stores")
    /// One store.
    public static let store = Endpoint<Empty, StoreDescription>(.get, "/stores/{store}")
    /// Forgets a store, and its file.
    public static let removeStore = Endpoint<Empty, Empty>(.delete, "/stores/{store}")
    /// The store at this address.
    public static let this = Endpoint<Empty, StoreDescription>(.get, "/store")

    /// Where a file that ``exportPath`` gave is posted to become a store; the query may have `name` and `kept`.
    public static let importPath = "/stores/import"
    /// Where a store gives all it knows as one file.
    public static let exportPath = "/control/v1/export"
    /// Where the content that a store hosts for a product is put, with PUT.
    public static let contentPath = "/control/v1/apps/{bundle}/content/{product}"
    /// Where a store tells what happens, as server-sent events.
    public static let eventStreamPath = "/control/v1/events/stream"
}
