/// Why a call of the App Store Server API was not let in.
///
/// The App Store gives no reason and no number; the store's answer is as short, with a sentence for whoever looks for the mistake.
struct Unauthorized: Error, Equatable {
    var reason: String
}
