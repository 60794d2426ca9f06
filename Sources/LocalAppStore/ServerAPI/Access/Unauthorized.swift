/// The reason for which a request to the App Store Server API was not authenticated.
///
/// The App Store's response has no reason and no error code; the store's response is as short, with an additional sentence for debugging.
struct Unauthorized: Error, Equatable {
    var reason: String
}
