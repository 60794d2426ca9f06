import PurchaseKit
import PurchaseModel

/// Returns the fulfillments of an app that sells books and a course of several gigabytes.
func contentFulfillments(server: HTTPURL, credentials: ServerCredentials, folder: String) -> [ProductID: Fulfillment] {
    let content = ContentDownloader(serverURL: server, credentials: credentials, folder: folder)
    return [
        "com.example.book": .deliver(content),
        "com.example.course": .downloadLater(content),
    ]
}

/// Returns the text of a row with a download.
func text(of download: DownloadProgress) -> String {
    let percent = download.fraction.formatted(.percent.precision(.fractionLength(0)))
    switch download.state {
    case .waiting: return "Waiting"
    case .paused: return "Paused at \(percent)"
    case .active:
        guard let rate = download.bytesPerSecond, let rest = download.timeRemaining else { return percent }
        return "\(percent), \(rate.formatted(.byteCount(style: .file))) per second, \(rest.formatted(.time(pattern: .minuteSecond))) left"
    }
}

/// Downloads a product from the list "ready to download", and returns a message for the user.
@MainActor func download(_ product: ProductID, of purchases: Purchases) async -> String? {
    switch await purchases.download(product) {
    case .installed, .paused, .canceled: nil
    case .delayed(let sentence), .refused(let sentence): sentence
    case .unavailable: "This account has not purchased the product."
    }
}

/// Pauses a download that runs, and resumes a paused one.
@MainActor func toggleDownload(of product: ProductID, _ purchases: Purchases) async {
    if purchases.state.downloads[product]?.state == .paused {
        await purchases.resumeDownload(of: product)
    } else {
        await purchases.pauseDownload(of: product)
    }
}
