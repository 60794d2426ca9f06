/// The error of a request to the App Store Server API whose token is missing or invalid.
///
/// The App Store responds without a reason and an error code. The local store's response has no error code either, but contains the reason
/// to help with debugging.
struct Unauthorized: Error, Equatable {
    var reason: String
}
